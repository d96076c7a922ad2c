<p>Dear ${(user.firstName!"customer")?html},</p>
<#if requestData.items?? && requestData.items?size gt 0>
  <ul>
    <#list requestData.items as item>
      <li>${item.name?html}<#if item.price gte 100> *</#if></li>
    </#list>
  </ul>
<#else>
  <p>There is nothing in your cart.</p>
</#if>

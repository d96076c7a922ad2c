import { expect, test } from "vitest";
import { parseXml } from "../../../adapters/saml/xml/parse-xml.js";
import { xml } from "../../../adapters/saml/xml/write-xml.js";
import {
  attributeOf,
  findElement,
  listElements,
  textOf,
  walkElements,
  type XmlElement,
} from "../../../adapters/saml/xml/xml-element.js";
import { XmlError } from "../../../adapters/saml/xml/xml-error.js";
import { isXmlText } from "../../../adapters/saml/xml/xml-text.js";
import { anyCharacter, cases, fc } from "../../support/properties.js";
import { requirement } from "../../support/requirement.js";
import { makeResponse } from "../support/responses.js";

test("names are resolved, texts and attributes decoded", () => {
  const root = parseXml(
    `<?xml version="1.0" encoding="UTF-8"?>\r\n<a:x xmlns:a="urn:a" xmlns="urn:b" y='1&#x41;&lt;"'><z>&amp;\r\n<!---->`.replace(
      "<!---->",
      "</z><a:z/></a:x>\n",
    ),
  );
  expect([root.name, root.namespace, attributeOf(root, "y")]).toEqual(["x", "urn:a", '1A<"']);
  expect(listElements(root).map(({ name, namespace }) => `${namespace} ${name}`)).toEqual(["urn:b z", "urn:a z"]);
  expect(textOf(findElement(root, "urn:b", "z"))).toBe("&");
  expect(findElement(root, "urn:b", "z")?.source).toBe("<z>&amp;\n</z>");
  expect(listElements(root)[0]?.parent).toBe(root);
});

const refused: Readonly<Record<string, string>> = {
  nothing: "",
  "text alone": "abc",
  "a document type": "<!DOCTYPE a><a/>",
  "entities of its own": `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
  "a billion laughs": `<!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;">]><a>&c;</a>`,
  "an external entity": `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
  "an entity that nobody declares": "<a>&nbsp;</a>",
  "a bare ampersand": "<a>&</a>",
  "a comment": "<a><!-- b --></a>",
  "a CDATA section": "<a><![CDATA[b]]></a>",
  "a processing instruction": "<a><?b c?></a>",
  "a second declaration": `<?xml version="1.0"?><?xml version="1.0"?><a/>`,
  "another version": `<?xml version="1.1"?><a/>`,
  "another encoding": `<?xml version="1.0" encoding="UTF-16"?><a/>`,
  "text before the root": "b<a/>",
  "text after the root": "<a/>b",
  "two roots": "<a/><a/>",
  "an open element": "<a>",
  "elements that cross": "<a><b></a></b>",
  "an end without a start": "</a>",
  "an attribute twice": `<a b="1" b="2"/>`,
  "an attribute twice by two prefixes": `<a xmlns:x="urn:a" xmlns:y="urn:a" x:b="1" y:b="2"/>`,
  "an attribute without quotes": "<a b=1/>",
  "attributes without a space": `<a b="1"c="2"/>`,
  "a prefix that is not declared": "<b:a/>",
  "a prefix without a namespace": `<b:a xmlns:b=""/>`,
  "a prefix of XML": `<a xmlns:xml="urn:a"/>`,
  "a name with two colons": `<a:b:c xmlns:a="urn:a"/>`,
  "a control character": "<a>\u0001</a>",
  "a zero": "<a>\u0000</a>",
  "half a character": "<a>\ud800</a>",
  "a reference to a zero": "<a>&#0;</a>",
  "a reference to half a character": "<a>&#xD800;</a>",
  "a reference beyond Unicode": "<a>&#x110000;</a>",
  "a byte order mark": "\ufeff<a/>",
  "too many levels": "<a>".repeat(41) + "</a>".repeat(41),
  "too many elements": `<a>${"<b/>".repeat(5_000)}</a>`,
  "too many attributes": `<a ${Array.from({ length: 41 }, (_, place) => `b${place}="1"`).join(" ")}/>`,
};

for (const [name, document] of Object.entries(refused))
  requirement("saml.xml", `a document with ${name} is refused`, () => {
    expect(() => parseXml(document)).toThrow(XmlError);
  });

function read(document: string): XmlElement | undefined {
  try {
    return parseXml(document);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

const fragment = fc.constantFrom(
  "<",
  ">",
  "/",
  "a",
  "b:",
  " ",
  '"',
  "'",
  "=",
  "&",
  ";",
  "amp",
  "xmlns",
  "<a>",
  "</a>",
  "<b:a ",
  "<!--",
  "]]>",
  "#x",
  "\n",
);

requirement("saml.xml", "any text is read or refused, in short time", () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 60 }), (parts) => void read(parts.join(""))),
    cases(2_000),
  );
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => void read(text)));
  const response = makeResponse();
  fc.assert(
    fc.property(fc.nat(response.length), fragment, (place, text) => {
      void read(response.slice(0, place) + text + response.slice(place + text.length));
    }),
  );
});

requirement("saml.xml", "large documents that end badly are refused in linear time", () => {
  const ends = [
    "<a ",
    '<a b="',
    " ".repeat(200_000),
    `<a ${'b="c" '.repeat(40_000)}`,
    "&#".repeat(100_000),
    `<a${" ".repeat(200_000)}`,
  ];
  for (const end of ends) expect(read(`<x>${end}`)).toBeUndefined();
});

requirement("saml.xml", "what is written is read again, for any text", () => {
  const text = fc.string({ unit: "grapheme" }).filter(isXmlText);
  fc.assert(
    fc.property(text, text, (content, value) => {
      const root = parseXml(xml`<a b="${value}">${content}</a>`.text);
      expect([attributeOf(root, "b"), root.children.join(""), walkElements(root).length]).toEqual([value, content, 1]);
    }),
  );
  expect(() => xml`<a>${"\u0000"}</a>`).toThrow(RangeError);
});

declare module "virtual:schemas" {
  const schemas: Readonly<Record<string, import("./kit/record-form/schema.js").Schema>>;
  export default schemas;
}

import { accessListRequest } from "../../../src/records/access-lists/schema.js";
import { expectOk } from "../answer.js";
import type { FamilyCase } from "../families.js";
import type { World } from "../world.js";

const everybodyElse = { action: "Block", startIPAddress: "*" };

/** The family of access lists. */
export const accessListCase: FamilyCase = {
  name: "accessLists",
  wrapper: "ipAccessControlList",
  idParameter: "ipAccessControlListId",
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  texts: ["One", "Two"],
  textField: ["name"],
  requiredFields: ["name", "entries"],
  hasData: true,
  isGlobal: true,
  request: accessListRequest,
  arrange: async () => ({
    collection: "/api/ip-acl",
    url: (id) => `/api/ip-acl/${id}`,
    body: (number) => ({
      ipAccessControlList: {
        name: `Access list ${number}`,
        data: { list: ["a"], map: { k: "v" } },
        entries: [everybodyElse, { action: "Allow", startIPAddress: `10.0.0.${number}`, endIPAddress: "10.0.255.255" }],
      },
    }),
  }),
};

/** Makes an access list with this id that refuses all addresses; returns the id. */
export async function makeAccessList(world: World, id: string, name: string = `List ${id}`): Promise<string> {
  const body = { ipAccessControlList: { name, entries: [everybodyElse] } };
  return expectOk(await world.caller.post(`/api/ip-acl/${id}`, body)).textAt("ipAccessControlList.id");
}

import { describe, expect } from "vitest";
import { cpuTime } from "../support/cpu-time.js";
import { messageAt, postLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const size = 199_000;

/** As many repetitions as fit into a body, numbered where `unit` has room for a number. */
function fill(unit: string | ((number: string) => string), length: number = size): string {
  let text = "";
  for (let number = 0; text.length < length; number++) text += typeof unit === "string" ? unit : unit(number.toString(36));
  return text;
}

function nest(open: string, close: string, depth: number): string {
  return open.repeat(depth) + close.repeat(depth);
}

/** Bodies on which a parser runs out of stack, of memory or of time. */
const hostile: Readonly<Record<string, string>> = {
  "deep parentheses": fill("("),
  "deep lists": fill("["),
  "deep objects": `(${fill("{a:")}`,
  "deep templates": fill(`\`\${`),
  "deep arrows": `${fill("a=>")}1`,
  "deep arrow defaults": fill("(a="),
  "deep async calls": fill("async("),
  "deep patterns": `${nest("[", "]", 50_000)} = 1`,
  "deep classes": fill("class A extends "),
  "deep ternaries": nest("a?", "b:", 40_000),
  "deep sums": `1${fill("+1")}`,
  "deep negations": `${fill("!")}1`,
  "deep ifs": `${fill("if(a);else ")};`,
  "deep labels": fill((number) => `a${number}:`),
  "deep loops": `${fill("for(a in b)")};`,
  "deep functions": nest("function f(){", "}", 14_000),
  "deep blocks with variables": nest("{var a;", "}", 24_000),
  "blocks with many variables": `${fill((number) => `{var a${number},b${number},c${number};`, 150_000)}${"}".repeat(9_000)}`,
  "many lets": `let ${fill((number) => `a${number},`)}z`,
  "many lets and vars": `let ${fill((number) => `a${number},`, size / 2)}z;var ${fill((number) => `b${number},`, size / 2)}y`,
  "many parameters": `function f(${fill((number) => `a${number},`)}z){}`,
  "many cases": `switch(a){${fill((number) => `case 1:let a${number};`)}}`,
  "many private names": `class A{${fill((number) => `#a${number};`)}}`,
  "unknown private names": `class A{m(){${fill("this.#a;")}}}`,
  "deep pattern groups": `/${nest("(", ")", 90_000)}/`,
  "deep pattern classes": `/${nest("[", "]", 90_000)}/v`,
  "many pattern groups": `/${fill((number) => `(?<a${number}>)`)}/u`,
  "wide pattern classes": `/[${fill("\\p{L}")}]/u`,
  "folded pattern classes": `/[${fill("\\w")}]/iu`,
  "wide pattern properties": `/[${fill("\\p{RGI_Emoji}")}]/v`,
  "a long number": `${fill("9")}n`,
  "a long name": fill("a"),
  "many calls": `a${fill("()")}`,
  "many comments": fill("<!--\n"),
  "many lines": `${fill("\n")}@`,
  "many texts": fill(`\`\${1}\`;`),
  "many statements in deep blocks": `${"{".repeat(199)}${fill("a;")}${"}".repeat(199)}`,
};

forEachStorage((start) => {
  describe("a hostile body of a lambda", () => {
    requirement("lambda.body-hostile", "is refused, and none takes much longer than the others", async () => {
      const world = await start();
      const times = new Map<string, number>();
      for (const [name, body] of Object.entries(hostile)) {
        const begin = cpuTime();
        const answer = await postLambda(world, "JWTPopulate", { body });
        times.set(name, cpuTime() - begin);
        expect({ name, status: answer.status, message: messageAt(answer, "lambda.body") }).toEqual({
          name,
          status: 400,
          message: expect.stringMatching(/^The \[lambda\.body\] property is not valid\. .* at line \d+, column \d+\.$/),
        });
      }
      // Without care some take eight seconds, or all the memory there is; with it none takes as long as the others together.
      const all = [...times.values()].reduce((sum, time) => sum + time, 0);
      expect([...times].filter(([, time]) => time > all / 2)).toEqual([]);
      expect(world.log).toEqual([]);
    });

    requirement("lambda.body-hostile", "gets its excess reported", async () => {
      const world = await start();
      const message = async (body: string): Promise<string> =>
        messageAt(await postLambda(world, "JWTPopulate", { body }), "lambda.body");
      expect(await message(`let ${fill((number) => `a${number},`)}z`)).toContain("More than 10000 names are declared");
      expect(await message(nest("{", "}", 201))).toContain("nest deeper than 200 levels");
      expect(await message(nest("{", "}", 200))).toContain("There is no function populate");
    });
  });
});

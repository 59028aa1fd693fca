import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceOfFile } from '../../support/shared-service.js';
import { isOnPath, runSnippet, snippetsOf } from '../../support/snippets.js';
import { documentedCalls, markdownPages } from './docs-pages.js';

const LINE = '--- ';
const IDS = ['journeyId', 'applicationId', 'subscriptionId', 'deliveryId'];
const VARIABLES = [...IDS, 'journeySession', 'orderId'];
const WITHOUT_IDS = ['listProducts', 'initiateJourney', 'createInstantLoan', 'listLeads'];

/** How each language's signed call becomes a program that makes other calls. */
const PROGRAMS = {
  Java: {
    ownCall: / {8}String method = [\s\S]*?println.*/,
    variable: (name: string) => `String ${name} = "none";`,
    printed: (name: string, code: string) =>
      `{ ${code}\nSystem.out.println("${LINE}${name}\\n" + data); }`,
  },
  Go: {
    ownCall: /\tmethod, target, body := [\s\S]*(?=\}\n$)/,
    variable: (name: string) => `${name} := "none"; _ = ${name}`,
    printed: (name: string, code: string) =>
      `{ ${code}\nif err != nil { log.Fatal(err) }\nfmt.Println("${LINE}${name}\\n" + data) }`,
  },
  PHP: {
    ownCall: /^echo .*/m,
    variable: (name: string) => `$${name} = 'none';`,
    printed: (name: string, code: string) => `${code}\necho "${LINE}${name}\\n", $data, "\\n";`,
  },
};

const service = serviceOfFile();
let folder: string;
let calls: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rinpath-reference-'));
  const names = (await documentedCalls(service.baseUrl)).map(({ name }) => name);
  // Others use the same sandbox.
  calls = names.filter((name) => !name.includes('Sandbox'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const snippet of snippetsOf('signed-call')) {
  const { language, command, file } = snippet;
  if (!(language in PROGRAMS)) continue;
  const program = PROGRAMS[language as keyof typeof PROGRAMS];
  it.skipIf(!isOnPath(command))(
    `every example of the reference in ${language} runs as it is copied, where it is installed`,
    async () => {
      const pages = await markdownPages(
        service.baseUrl,
        calls.map((name) => `/docs/reference/${name}`),
      );
      const fence = new RegExp(`^\`\`\`\\w+ ${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm');
      const examples = calls.map((name) => {
        const [, code] = fence.exec(pages.get(`/docs/reference/${name}.md`)!)!;
        return program.printed(name, code);
      });
      const source = readFileSync(file, 'utf8');
      const ownCalls = [...VARIABLES.map(program.variable), ...examples].join('\n');
      const text = source.replace(program.ownCall, () => ownCalls);
      expect(text).not.toBe(source);
      const copy = join(folder, basename(file));
      writeFileSync(copy, text);
      const { apiKey: API_KEY, apiSecret: API_SECRET } = service.credentials;
      const environment = { BASE_URL: service.baseUrl, API_KEY, API_SECRET };
      const output = await runSnippet({ ...snippet, file: copy }, { given: [], environment });
      const codes = output
        .split(LINE)
        .slice(1)
        .map((part): [string, string] => {
          const [name, answer] = part.split('\n');
          const { success, code } = JSON.parse(answer) as { success: boolean; code?: string };
          return [name, success ? 'success' : code!];
        });
      expect(codes.map(([name]) => name)).toEqual(calls);
      for (const [name, code] of codes) {
        const expected = WITHOUT_IDS.includes(name)
          ? /^success$/
          : /^success$|(?<!route_)not_found$/;
        expect([name, code]).toEqual([name, expect.stringMatching(expected)]);
      }
    },
  );
}

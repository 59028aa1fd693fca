/**
 * Writes the collection from `docs/openapi.json`: a request for each call, or for each example of its body.
 * `npm run clients:generate` runs it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly examples?: Record<string, { readonly summary?: string; readonly value: unknown }>;
      };
    };
  };
}

interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
}

interface Request {
  readonly name: string;
  readonly body?: unknown;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Fields of a response that later requests use. */
const KEPT: Record<string, readonly string[]> = {
  initiateJourney: ['journeyId', 'applicationId', 'journeySession'],
  createInstantLoan: ['applicationId'],
  registerWebhook: ['subscriptionId'],
  readJourney: ['offers[0]?.offerId'],
};

/** Ids in examples that an earlier response provides. */
const REMEMBERED: readonly [RegExp, string][] = [[/"off_\w+"/g, '"{{offerId}}"']];

/** Every generated file of the collection, by its path in this folder. */
export function collectionFiles(): Map<string, string> {
  const { paths } = JSON.parse(read('../../docs/openapi.json')) as OpenApi;
  const files = new Map([
    [
      'bruno.json',
      `${JSON.stringify({ version: '1', name: 'Rinpath', type: 'collection' }, null, 2)}\n`,
    ],
    ['collection.bru', block('script:pre-request', read('sign.js'))],
    ['environments/sandbox.bru', block('vars', sandboxVariables())],
  ]);
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const request of requestsOf(operation)) {
        const folder = `${operation.tags[0]}/`;
        const place = [...files.keys()].filter((name) => name.startsWith(folder)).length + 1;
        files.set(
          `${folder}${request.name}.bru`,
          requestFile(method, path, operation, request, place),
        );
      }
    }
  }
  return files;
}

function requestsOf(operation: Operation): Request[] {
  const name = operation.summary.replaceAll('’', "'");
  const content = operation.requestBody?.content['application/json'];
  if (content === undefined) return [{ name }];
  const examples = Object.entries(content.examples ?? {});
  return examples.map(([key, { summary, value }]) => ({
    name: `${name} - ${(summary ?? key).replaceAll(/[/:’]\s*/g, ' ')}`,
    body: value,
  }));
}

function requestFile(
  method: string,
  path: string,
  operation: Operation,
  { name, body }: Request,
  place: number,
): string {
  const kept = KEPT[operation.operationId] ?? [];
  const url = `{{baseUrl}}${path.replaceAll('{', '{{').replaceAll('}', '}}')}`;
  const mode = body === undefined ? 'none' : 'json';
  return [
    block('meta', `name: ${name}\ntype: http\nseq: ${place}`),
    block(method, `url: ${url}\nbody: ${mode}\nauth: none`),
    block('headers', headersOf(operation)),
    body === undefined ? '' : block('body:json', bodyText(body)),
    block(
      'vars:post-response',
      kept.map((one) => `${one.split('.').at(-1)}: res.body.data.${one}`).join('\n'),
    ),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

function bodyText(body: unknown): string {
  return REMEMBERED.reduce(
    (text, [example, variable]) => text.replaceAll(example, variable),
    JSON.stringify(body, null, 2),
  );
}

function headersOf({ parameters }: Operation): string {
  const has = (name: string) => parameters.some(({ $ref }) => $ref?.endsWith(`/${name}`) === true);
  const lines = [
    has('IdempotencyKey') ? 'idempotency-key: {{$randomUUID}}' : '',
    has('JourneySession') ? 'x-journey-session: {{journeySession}}' : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function sandboxVariables(): string {
  const { partners } = parse(read('../../config/sandbox.yaml')) as {
    partners: { keys: { apiKey: string; apiSecret: string }[] }[];
  };
  const { apiKey, apiSecret } = partners[0].keys[0];
  return `baseUrl: http://localhost:3000\napiKey: ${apiKey}\napiSecret: ${apiSecret}`;
}

function block(name: string, text: string): string {
  if (text === '') return '';
  const indented = text.trimEnd().replaceAll(/^(?=.)/gm, '  ');
  return `${name} {\n${indented}\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = collectionFiles();
  for (const folder of new Set([...files.keys()].map((path) => path.split('/')[0]))) {
    if (!folder.includes('.')) rmSync(join(FOLDER, folder), { recursive: true, force: true });
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(FOLDER, path)), { recursive: true });
    writeFileSync(join(FOLDER, path), text);
  }
}

/**
 * Writes the collection from `docs/openapi.json`, in the order of `order.ts`. `npm run clients:generate` runs it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { ORDER, type Step } from './order.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
}

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly examples?: Record<string, Example>;
      };
    };
  };
}

interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
}

interface Request {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly example?: Example;
}

/** The examples' address; no server listens there. */
const WEBHOOK_URL = 'https://partner.example/hooks/loans';
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Values of the examples that are replaced by variables. */
const REPLACED: readonly [RegExp, string][] = [
  [/"off_\w+"/g, '"{{offerId}}"'],
  [/"brn_\w+"/g, '"{{branchLocationId}}"'],
  [/(?<="givenAt": )"[^"]+"/g, '"{{$isoTimestamp}}"'],
  [/(?<="to": )"[^"]+"/g, '"{{sandboxTime}}"'],
  [new RegExp(`"${WEBHOOK_URL}"`, 'g'), '"{{webhookUrl}}"'],
];

/**
 * Every file of the collection that is generated, by its path in this folder.
 * @throws Error when the collection lacks a call or an example
 */
export function collectionFiles(): Map<string, string> {
  const files = new Map([
    [
      'bruno.json',
      `${JSON.stringify({ version: '1', name: 'Rinpath', type: 'collection' }, null, 2)}\n`,
    ],
    ['collection.bru', block('script:pre-request', read('sign.js'))],
    ['environments/sandbox.bru', block('vars', sandboxVariables())],
  ]);
  const { paths } = JSON.parse(read('../../docs/openapi.json')) as OpenApi;
  const unsent = requestsOf(paths);
  const all = new Map(unsent);
  for (const [place, [folder, steps]] of Object.entries(ORDER).entries()) {
    files.set(`${folder}/folder.bru`, block('meta', `name: ${folder}\nseq: ${place + 1}`));
    for (const [index, step] of steps.entries()) {
      const request = all.get(step.request);
      if (!request) throw new Error(`docs/openapi.json has no ${step.request}`);
      unsent.delete(step.request);
      const name = nameOf(request, step);
      files.set(`${folder}/${name}.bru`, requestFile(name, index + 1, request, step));
    }
  }
  if (unsent.size > 0) throw new Error(`order.ts lacks ${[...unsent.keys()].join(', ')}`);
  return files;
}

/** By `operationId`, or `operationId.example`. */
function requestsOf(paths: OpenApi['paths']): Map<string, Request> {
  const requests = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]): [string, Request][] => {
      const { operationId, requestBody } = operation;
      const at = { path, method, operation };
      if (!requestBody) return [[operationId, at]];
      const { examples = {} } = requestBody.content['application/json'];
      return Object.entries(examples).map(([key, example]) => [
        `${operationId}.${key}`,
        { ...at, example },
      ]);
    }),
  );
  return new Map(requests);
}

function nameOf({ operation, example }: Request, { about }: Step): string {
  return [operation.summary, example?.summary, about]
    .filter((part) => part !== undefined)
    .map((part) => part.replaceAll(/’s/g, "'s").replaceAll(/[/:]\s*/g, ' '))
    .join(' - ');
}

function requestFile(
  name: string,
  place: number,
  { path, method, operation, example }: Request,
  step: Step,
): string {
  const url = `{{baseUrl}}${path.replaceAll('{', '{{').replaceAll('}', '}}')}`;
  const mode = example === undefined ? 'none' : 'json';
  return [
    block('meta', `name: ${name}\ntype: http\nseq: ${place}`),
    block(method, `url: ${url}\nbody: ${mode}\nauth: none`),
    block('headers', headersOf(operation)),
    example === undefined ? '' : block('body:json', bodyText(example.value)),
    block('script:post-response', scriptOf(name, step)),
    block(
      'assert',
      [`res.status: ${step.status ?? 'eq 200'}`, `res.body.${step.expects}`].join('\n'),
    ),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

function scriptOf(name: string, { keeps = {}, repeatsWhile }: Step): string {
  const kept = Object.entries(keeps).map(
    ([variable, path]) => `bru.setVar('${variable}', res.body.data?.${path});`,
  );
  if (repeatsWhile === undefined) return kept.join('\n');
  return [
    ...kept,
    '// A run of the collection repeats this request.',
    `if (res.body.data?.${repeatsWhile}) {`,
    '  await bru.sleep(500);',
    `  bru.runner.setNextRequest(${JSON.stringify(name)});`,
    '}',
  ].join('\n');
}

function bodyText(body: unknown): string {
  return REPLACED.reduce(
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
  return [
    'baseUrl: http://localhost:3000',
    `apiKey: ${apiKey}`,
    `apiSecret: ${apiSecret}`,
    `webhookUrl: ${WEBHOOK_URL}`,
  ].join('\n');
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

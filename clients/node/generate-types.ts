/**
 * Writes `src/api.ts`, the types of every call, from `docs/openapi.json`, and `src/scenarios.ts` from the sandbox's
 * list; `npm run clients:generate` runs it. The client declares failures and headers itself, so the types have only
 * bodies, parameters and successful responses.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';
import type { OpenAPI3, SchemaObject } from 'openapi-typescript';
import { format, type FormatConfig } from 'oxfmt';
import { SCENARIO_BODIES, SCENARIOS } from '../../src/sandbox/reserved-pans.ts';

interface Operation {
  parameters?: { $ref?: string; in?: string }[];
  responses: Record<string, unknown>;
}

interface Schema {
  required?: string[];
  anyOf?: Schema[];
}

const DOCUMENT = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const TYPES = fileURLToPath(new URL('src/api.ts', import.meta.url));
const SCENARIO_LIST = fileURLToPath(new URL('src/scenarios.ts', import.meta.url));
const FORMAT = fileURLToPath(new URL('../../.oxfmtrc.json', import.meta.url));

const SCENARIOS_HEAD = `/**
 * The sandbox's scenarios, written by \`npm run clients:generate\`. Do not edit.
 */
`;

const HEAD = `/**
 * The types of every call, made from docs/openapi.json by \`npm run clients:generate\`. Do not edit.
 */
`;

/** The text of `src/api.ts`, formatted like the project. */
export async function clientTypes(): Promise<string> {
  const document = onlyWhatSucceeds(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenAPI3);
  const types = astToString(await openapiTypes(document, { alphabetize: true, immutable: true }));
  return formatted(TYPES, HEAD + types);
}

/** The text of `src/scenarios.ts`. */
export async function clientScenarios(): Promise<string> {
  const lists = Object.entries({ SCENARIOS, SCENARIO_BODIES }).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;`,
  );
  return formatted(SCENARIO_LIST, SCENARIOS_HEAD + lists.join('\n\n'));
}

async function formatted(file: string, text: string): Promise<string> {
  const options = JSON.parse(readFileSync(FORMAT, 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, text, options);
  if (errors.length > 0) throw new Error(`${file} cannot be formatted: ${errors[0].message}`);
  return code;
}

function onlyWhatSucceeds(document: OpenAPI3): OpenAPI3 {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path as Record<string, Operation>)) {
      operation.responses = { 200: withoutHeaders(operation.responses['200']) };
      operation.parameters = (operation.parameters ?? []).filter(
        (one) => one.in === 'path' || one.in === 'query',
      );
    }
  }
  const schemas = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [
      name,
      withAlternatives(schema as Schema) as SchemaObject,
    ]),
  );
  return {
    openapi: document.openapi,
    info: document.info,
    paths: document.paths ?? {},
    components: { schemas },
  };
}

/** The generator has no type for "at least one of these fields", so this makes an object for each field. */
function withAlternatives(schema: Schema): Schema {
  const { anyOf, ...whole } = schema;
  const isChoice = anyOf?.every((one) => Object.keys(one).join() === 'required') === true;
  if (!isChoice) return schema;
  const required = whole.required ?? [];
  return {
    anyOf: anyOf.map((one) => ({ ...whole, required: [...required, ...(one.required ?? [])] })),
  };
}

function withoutHeaders(response: unknown): unknown {
  const { headers: _headers, ...rest } = response as Record<string, unknown>;
  return rest;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TYPES, await clientTypes());
  writeFileSync(SCENARIO_LIST, await clientScenarios());
}

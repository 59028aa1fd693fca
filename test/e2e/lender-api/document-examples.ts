import { lenderDocument, PROTOCOL } from '../../../src/lender-api/index.js';
import { Contract, type Node, type OpenApiDocument } from '../../support/contract.js';

const BRAND = { displayName: 'Rinpath', support: { email: 'support@rinpath.example' } };
const document = JSON.stringify(lenderDocument(BRAND, 'http://127.0.0.1:3000'));

/** The document of the lender protocol. */
export const contract = new Contract(JSON.parse(document) as OpenApiDocument);

/** An example of a request. */
export interface Example {
  /** Call and title: `offers personal`. */
  readonly name: string;
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const examples = contract.operations.flatMap(({ path, node }): Example[] =>
  Object.entries<Node>(node.requestBody?.content['application/json'].examples ?? {}).map(
    ([title, { value }]) => ({ name: `${path.split('/').at(-1)} ${title}`, path, value }),
  ),
);
const isCallback = ({ path }: Example) => path.startsWith(PROTOCOL.callbacksPath);

export const CALLBACK_EXAMPLES = examples.filter(isCallback);
export const QUESTION_EXAMPLES = examples.filter((example) => !isCallback(example));

export function exampleNamed(name: string): Example {
  const found = examples.find((example) => example.name === name);
  if (!found) throw new Error(`the document has no example ${name}`);
  return found;
}

/** By field: ids and dates instead of the document's. */
export type Values = Readonly<Record<string, string | (() => string)>>;

export function filled({ value: example }: Example, values: Values): object {
  return JSON.parse(JSON.stringify(example), (field, value: unknown) => {
    const own = values[field];
    return typeof own === 'function' ? own() : (own ?? value);
  }) as object;
}

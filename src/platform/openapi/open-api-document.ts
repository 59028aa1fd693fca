import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;
export type DescribedParameter = Exclude<
  NonNullable<Components['parameters']>[string],
  { $ref: string }
>;
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Answer = NonNullable<Components['responses']>[string];
type Headers = Extract<Answer, { content?: unknown }>['headers'];
type Section = 'schemas' | 'parameters' | 'headers' | 'responses';

export type Examples = Readonly<Record<string, { summary?: string; value: unknown }>>;

export interface DocumentOwner {
  readonly displayName: string;
  readonly support: { readonly email: string };
}

interface DocumentParts extends Omit<OpenAPIObject, 'openapi' | 'info'> {
  readonly owner: DocumentOwner;
  /** Follows the owner's name. */
  readonly title: string;
  readonly description: string;
}

export function openApiDocument(parts: DocumentParts): OpenAPIObject {
  const { owner, title, description, ...rest } = parts;
  const { displayName, support } = owner;
  // The types of @nestjs/swagger lack OpenAPI 3.1's `identifier`.
  const identifier = { identifier: 'LicenseRef-Proprietary' };
  return {
    openapi: '3.1.0',
    info: {
      title: `${displayName} ${title}`,
      version: '1.0.0',
      description,
      contact: { name: `${displayName} support`, email: support.email },
      license: { name: `Terms of use of ${displayName}`, ...identifier },
    },
    ...rest,
  };
}

export function reference(section: Section, name: string) {
  return { $ref: `#/components/${section}/${name}` };
}

export function headersNamed(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
}

export function header(description?: string, schema: object = {}, example?: string) {
  return { description, required: true, schema: { type: 'string', ...schema }, example };
}

export function parameter(
  where: 'header' | 'path' | 'cookie',
  name: string,
  ...text: Parameters<typeof header>
): DescribedParameter {
  return { name, in: where, ...header(...text) };
}

export function optional<One extends object>(one: One) {
  return { ...one, required: false };
}

export function jsonContent(schema: object, examples: Examples) {
  return { content: { 'application/json': { schema, examples } } };
}

export interface Failures<Code extends string> {
  readonly catalogue: Readonly<Record<Code, { readonly status: number; readonly message: string }>>;
  /** Described once, by status. */
  readonly shared: readonly Code[];
  readonly headers: (status: number) => Headers;
  readonly schema: (codes: readonly Code[]) => object;
  readonly body: (code: Code, message: string, operationId?: string) => object;
}

export function sharedFailures<Code extends string>(api: Failures<Code>): Record<string, Answer> {
  const described = byStatus(api, api.shared).map(([status, codes]) => [
    `Failure${status}`,
    failure(api, status, codes),
  ]);
  return Object.fromEntries(described) as Record<string, Answer>;
}

interface Call<Code extends string> extends Omit<Operation, 'parameters' | 'tags'> {
  readonly operationId: string;
  readonly tag: string;
  /** Names of shared parameters, or this call's own. */
  readonly parameters: readonly (string | DescribedParameter)[];
  readonly failures: readonly Code[];
}

export function operation<Code extends string>(
  api: Failures<Code>,
  { tag, failures, responses, parameters, ...call }: Call<Code>,
): Operation {
  const shared = new Map(byStatus(api, api.shared));
  const failed = byStatus(api, failures).map(([status, codes]) => [
    status,
    shared.get(status)?.length === codes.length
      ? reference('responses', `Failure${status}`)
      : failure(api, status, codes, call.operationId),
  ]);
  return {
    tags: [tag],
    ...call,
    parameters: parameters.map((one) =>
      typeof one === 'string' ? reference('parameters', one) : one,
    ),
    responses: { ...responses, ...(Object.fromEntries(failed) as Operation['responses']) },
  };
}

function byStatus<Code extends string>(
  { catalogue }: Failures<Code>,
  codes: readonly Code[],
): [number, Code[]][] {
  const groups = Map.groupBy(new Set(codes), (code) => catalogue[code].status);
  return [...groups].toSorted(([a], [b]) => a - b);
}

function failure<Code extends string>(
  { catalogue, schema, headers, body }: Failures<Code>,
  status: number,
  codes: readonly Code[],
  operationId?: string,
): Answer {
  const failed = codes.map((code) => [code, catalogue[code].message] as const);
  return {
    description: failed
      .map(([code, message]) => `\`${code}\`: ${message.replace(/\.?$/, '.')}`)
      .join(' '),
    headers: headers(status),
    ...jsonContent(
      schema(codes),
      Object.fromEntries(
        failed.map(([code, message]) => [code, { value: body(code, message, operationId) }]),
      ),
    ),
  };
}

import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A schema, or any other part of the document with named fields. */
export type Node = { [name: string]: Node } & { $ref?: unknown };

export interface SeenAnswer {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly statuses: readonly number[];
  readonly node: Node;
}

export interface OpenApiDocument {
  readonly paths: Record<string, Record<string, Node>>;
  readonly [name: string]: unknown;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const PREFIX = /^(\/api)?(\/v1\/partner(?:\/|$))/;
const ALWAYS_CLOSED = 'unevaluatedProperties';

/**
 * Checks responses against the OpenAPI document: the status must be documented, headers and body must match, and no
 * undocumented field may occur.
 */
export class Contract {
  readonly operations: readonly Operation[];
  private readonly ajv: Ajv2020;
  private readonly root: Node;
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly patterns: readonly (readonly [RegExp, string])[];

  constructor(readonly document: OpenApiDocument) {
    this.root = closed(structuredClone(document) as unknown as Node);
    this.ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(this.ajv);
    this.ajv.addSchema(this.root, 'openapi');
    this.operations = operationsOf(document);
    this.patterns = Object.keys(document.paths)
      // A literal path comes before one with a parameter in the same place.
      .toSorted((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => [new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'), path]);
  }

  static async of({ baseUrl }: { baseUrl: string }): Promise<Contract> {
    const response = await fetch(`${baseUrl}/openapi.json`);
    if (!response.ok) throw new Error(`GET /openapi.json: ${response.status}`);
    return new Contract((await response.json()) as OpenApiDocument);
  }

  operation(operationId: string): Operation {
    const found = this.operations.find((operation) => operation.operationId === operationId);
    if (!found) throw new Error(`the document has no operation ${operationId}`);
    return found;
  }

  operationAt(method: string, target: string): Operation | null {
    const path = target.split('?')[0].replace(PREFIX, '/api$2');
    const known = this.patterns.find(([pattern]) => pattern.test(path))?.[1];
    return (
      this.operations.find(
        (operation) => operation.path === known && operation.method === method.toUpperCase(),
      ) ?? null
    );
  }

  problems(answer: SeenAnswer): string[] {
    const operation = this.operationAt(answer.method, answer.target);
    if (!operation) return this.problemsOfNothing(answer);
    const pointer = ['paths', operation.path, operation.method.toLowerCase(), 'responses'];
    const statusPointer = this.resolved([...pointer, String(answer.status)]);
    if (!statusPointer) return [`${operation.operationId}: ${answer.status} is not documented`];
    return [
      ...this.headerProblems(statusPointer, answer),
      ...this.bodyProblems([...statusPointer, 'content', 'application/json', 'schema'], answer),
    ];
  }

  problemsAt(pointer: readonly string[], value: unknown): string[] {
    return this.schemaProblems(pointer, value, pointer.join(' '));
  }

  /** @throws Error if the response does not match the document */
  expectValid(answer: SeenAnswer): void {
    const problems = this.problems(answer);
    const { method, target, status, body } = answer;
    if (problems.length === 0) return;
    const seen = `${method} ${target.slice(0, 200)}: ${status} ${body.toString().slice(0, 600)}`;
    throw new Error(`${seen}\n${problems.join('\n')}`);
  }

  private problemsOfNothing(answer: SeenAnswer): string[] {
    const anyFailure = ['components', 'responses', 'Failure400'];
    return [
      ...(answer.status < 400 ? [`${answer.status} at an address that is not documented`] : []),
      ...this.headerProblems(anyFailure, answer),
      ...(answer.method === 'HEAD'
        ? []
        : this.bodyProblems(['components', 'schemas', 'Failure'], answer)),
    ];
  }

  private headerProblems(pointer: readonly string[], answer: SeenAnswer): string[] {
    const headers = this.nodeAt([...pointer, 'headers']) ?? {};
    return Object.keys(headers).flatMap((name) => {
      const header = this.resolved([...pointer, 'headers', name])!;
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) {
        return this.nodeAt([...header, 'required']) ? [`the header ${name} is missing`] : [];
      }
      return this.schemaProblems([...header, 'schema'], value, `header ${name}`);
    });
  }

  private bodyProblems(pointer: readonly string[], answer: SeenAnswer): string[] {
    const contentType = answer.headers['content-type'] ?? 'none';
    if (!/^application\/json(; charset=utf-8)?$/i.test(contentType)) {
      return [`the content type is ${contentType}`];
    }
    let json: unknown;
    try {
      json = JSON.parse(answer.body.toString('utf8'));
    } catch {
      return ['the body is not JSON'];
    }
    return this.schemaProblems(pointer, json, 'body');
  }

  private schemaProblems(pointer: readonly string[], value: unknown, what: string): string[] {
    const validate = this.validator(pointer);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  private validator(pointer: readonly string[]): ValidateFunction {
    const reference = `openapi#/${pointer.map(escaped).join('/')}`;
    let validate = this.compiled.get(reference);
    if (!validate) {
      validate = this.ajv.compile({ $ref: reference });
      this.compiled.set(reference, validate);
    }
    return validate;
  }

  private resolved(pointer: readonly string[]): readonly string[] | null {
    const node = this.nodeAt(pointer);
    if (node === undefined) return null;
    if (typeof node.$ref !== 'string') return pointer;
    return this.resolved(node.$ref.slice(2).split('/'));
  }

  private nodeAt(pointer: readonly string[]): Node | undefined {
    let node: Node | undefined = this.root;
    for (const name of pointer) node = node?.[name];
    return node;
  }
}

function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, node]) => ({
        method: method.toUpperCase(),
        path,
        operationId: node.operationId as unknown as string,
        statuses: Object.keys(node.responses).map(Number),
        node,
      })),
  );
}

/** Closes every object, so that undocumented fields, such as a secret, are found. */
function closed(root: Node): Node {
  const close = (node: unknown, isMember: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      node.forEach((item) => close(item, isMember));
      return;
    }
    const schema = node as Record<string, unknown>;
    const isObject = typeof schema.properties === 'object' || Array.isArray(schema.allOf);
    if (isObject && !isMember && schema.additionalProperties === undefined) {
      schema[ALWAYS_CLOSED] = false;
    }
    for (const [name, value] of Object.entries(schema)) close(value, name === 'allOf');
  };
  for (const [name, schema] of Object.entries(root.components.schemas)) {
    // A base schema is closed where it is used.
    close(schema, name === 'Failure' || name === 'WebhookEventView');
  }
  close(root.components.responses, false);
  close(root.paths, false);
  return root;
}

function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

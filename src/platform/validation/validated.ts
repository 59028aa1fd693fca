import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { validationFault, type FieldProblem } from '../errors/fault.js';
import { isObject } from './json-object.js';

type JsonType = 'string' | 'number' | 'boolean';

const JSON_TYPE = Symbol('json type');

export function JsonTyped(type: JsonType): PropertyDecorator {
  return (target, property) => Reflect.defineMetadata(JSON_TYPE, type, target, property);
}

function jsonTypeOf(holder: object, property: string): JsonType | undefined {
  return Reflect.getMetadata(JSON_TYPE, holder, property) as JsonType | undefined;
}

export type Validatable<Shape extends object = object> = new () => Shape;

interface Checked<Shape> {
  readonly value: Shape;
  readonly problems: FieldProblem[];
}

/** With the value as sent. */
interface Finding extends FieldProblem {
  readonly sent: unknown;
  readonly jsonType: string | undefined;
}

/**
 * Drops unknown fields.
 * @throws Fault validation_failed naming every invalid field
 */
export function validated<Shape extends object>(shape: Validatable<Shape>, plain: object): Shape {
  const { value, problems } = checkBody(shape, plain);
  if (problems.length > 0) throw validationFault(problems);
  return value;
}

/** Reports missing fields and wrong JSON types as such. */
export function checkBody<Shape extends object>(
  shape: Validatable<Shape>,
  plain: object,
): Checked<Shape> {
  const { value, findings } = find(shape, plain);
  return { value, problems: findings.map(problemOf) };
}

/** With the rules' own messages, which a form translates. */
export function check<Shape extends object>(
  shape: Validatable<Shape>,
  plain: object,
): Checked<Shape> {
  const { value, findings } = find(shape, plain);
  return { value, problems: findings.map(({ field, message }) => ({ field, message })) };
}

export function missingOr(sent: unknown, message: string): string {
  return sent === undefined || sent === null ? `is missing; it ${message}` : message;
}

/** In a copy: the object as sent. */
const SENT = Symbol('sent');

/** For a transformer of a field that keeps every key. */
export function asSent(copy: unknown): unknown {
  if (typeof copy !== 'object' || copy === null) return copy;
  return (copy as { [SENT]?: unknown })[SENT] ?? copy;
}

/** class-transformer calls an object's own `constructor`, so the copy has none. */
function withoutConstructors(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutConstructors);
  const fields = Object.entries(value).filter(([name]) => name !== 'constructor');
  const copied = fields.map(([name, field]) => [name, withoutConstructors(field)] as const);
  return { ...Object.fromEntries(copied), [SENT]: value };
}

function find<Shape extends object>(shape: Validatable<Shape>, plain: object) {
  const copy = withoutConstructors(plain) as object;
  const value = plainToInstance(shape, copy, { exposeUnsetFields: false });
  const errors = validateSync(value, {
    whitelist: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { value: false },
  });
  return { value, findings: errors.flatMap((error) => flatten(error, '', plain)) };
}

function flatten(error: ValidationError, prefix: string, holder: unknown): Finding[] {
  const field = prefix === '' ? error.property : `${prefix}.${error.property}`;
  const sent = ownValue(holder, error.property);
  const jsonType = error.target && jsonTypeOf(error.target, error.property);
  const [message] = Object.values(error.constraints ?? {});
  const own = message === undefined ? [] : [{ field, message, sent, jsonType }];
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, field, sent))];
}

function ownValue(holder: unknown, name: string): unknown {
  if (!isObject(holder) || !Object.hasOwn(holder, name)) {
    return undefined;
  }
  return (holder as Record<string, unknown>)[name];
}

function problemOf({ field, message, sent, jsonType }: Finding): FieldProblem {
  if (jsonType === 'number' && typeof sent === 'string') {
    return { field, message: `${message}, as a number, not text` };
  }
  if (jsonType === 'string' && typeof sent === 'number') {
    return { field, message: `${message}, as text, not a number` };
  }
  return { field, message: missingOr(sent, message) };
}

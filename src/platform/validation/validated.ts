import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { validationFault, type FieldProblem } from '../errors/fault.js';

export type JsonType = 'string' | 'number' | 'boolean';

const JSON_TYPE = Symbol('json type');

/** Notes the JSON type of a field of a body. */
export function JsonTyped(type: JsonType): PropertyDecorator {
  return (target, property) => Reflect.defineMetadata(JSON_TYPE, type, target, property);
}

/** The JSON type that was noted; undefined where none was. */
export function jsonTypeOf(holder: object, property: string): JsonType | undefined {
  return Reflect.getMetadata(JSON_TYPE, holder, property) as JsonType | undefined;
}

export type Validatable<Shape extends object = object> = new () => Shape;

interface Checked<Shape> {
  readonly value: Shape;
  readonly problems: FieldProblem[];
}

/** What is wrong with a field, and the field as it was sent. */
interface Finding extends FieldProblem {
  readonly sent: unknown;
  readonly jsonType: string | undefined;
}

/**
 * Holds a plain value against a class with class-validator's rules and answers an instance.
 * Fields that the class does not know are left out.
 * @throws Fault validation_failed naming every bad field
 */
export function validated<Shape extends object>(shape: Validatable<Shape>, plain: object): Shape {
  const { value, problems } = checkBody(shape, plain);
  if (problems.length > 0) throw validationFault(problems);
  return value;
}

/**
 * The same, for callers that gather problems before they fail. A problem says that a field is missing,
 * or that a number was sent as text, where that is what is wrong.
 */
export function checkBody<Shape extends object>(
  shape: Validatable<Shape>,
  plain: object,
): Checked<Shape> {
  const { value, findings } = find(shape, plain);
  return { value, problems: findings.map(toldToCaller) };
}

/** The same with the rules' own sentences, which a form has in another language. */
export function check<Shape extends object>(
  shape: Validatable<Shape>,
  plain: object,
): Checked<Shape> {
  const { value, findings } = find(shape, plain);
  return { value, problems: findings.map(({ field, message }) => ({ field, message })) };
}

/** A rule's sentence, for a field that is missing if it is: what is wrong, then what would be right. */
export function missingOr(sent: unknown, message: string): string {
  return sent === undefined || sent === null ? `is missing; it ${message}` : message;
}

function find<Shape extends object>(shape: Validatable<Shape>, plain: object) {
  const value = plainToInstance(shape, plain, { exposeUnsetFields: false });
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
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) {
    return undefined;
  }
  return (holder as Record<string, unknown>)[name];
}

function toldToCaller({ field, message, sent, jsonType }: Finding): FieldProblem {
  if (jsonType === 'number' && typeof sent === 'string') {
    return { field, message: `${message}, as a number, not text` };
  }
  if (jsonType === 'string' && typeof sent === 'number') {
    return { field, message: `${message}, as text, not a number` };
  }
  return { field, message: missingOr(sent, message) };
}

import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { validationFault, type FieldProblem } from '../errors/fault.js';

export type Validatable<Shape extends object = object> = new () => Shape;

/**
 * Holds a plain value against a class with class-validator's rules and answers an instance.
 * Fields that the class does not know are left out.
 * @throws Fault validation_failed naming every bad field
 */
export function validated<Shape extends object>(shape: Validatable<Shape>, plain: object): Shape {
  const { value, problems } = check(shape, plain);
  if (problems.length > 0) throw validationFault(problems);
  return value;
}

/** The same, for callers that gather problems before they fail. */
export function check<Shape extends object>(
  shape: Validatable<Shape>,
  plain: object,
): { value: Shape; problems: FieldProblem[] } {
  const value = plainToInstance(shape, plain, { exposeUnsetFields: false });
  const errors = validateSync(value, {
    whitelist: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
  });
  return { value, problems: errors.flatMap((error) => flatten(error, '')) };
}

function flatten(error: ValidationError, prefix: string): FieldProblem[] {
  const field = prefix === '' ? error.property : `${prefix}.${error.property}`;
  const [message] = Object.values(error.constraints ?? {});
  const own = message === undefined ? [] : [{ field, message }];
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, field))];
}

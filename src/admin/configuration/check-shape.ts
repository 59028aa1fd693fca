import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import type { FieldProblem } from '../../platform/index.js';
import { Configuration } from './configuration.js';

/**
 * Holds a parsed file against the classes. Other than a request's, its unknown fields are mistakes:
 * a misspelt setting must not pass for one that was left out.
 */
export function checkShape(plain: object): { value: Configuration; problems: FieldProblem[] } {
  const value = plainToInstance(Configuration, plain, { exposeUnsetFields: false });
  const errors = validateSync(value, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
  });
  return { value, problems: errors.flatMap((error) => flatten(error, '')) };
}

function flatten(error: ValidationError, prefix: string): FieldProblem[] {
  const field = joined(prefix, error.property);
  const [[rule, message] = ['', undefined]] = Object.entries(error.constraints ?? {});
  const sentence = rule === 'whitelistValidation' ? 'is not a field of this file' : message;
  const own = sentence === undefined ? [] : [{ field, message: sentence }];
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, field))];
}

function joined(prefix: string, property: string): string {
  if (/^\d+$/.test(property) && prefix !== '') return `${prefix}[${property}]`;
  return prefix === '' ? property : `${prefix}.${property}`;
}

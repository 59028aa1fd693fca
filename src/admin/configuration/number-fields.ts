import { applyDecorators } from '@nestjs/common';
import { Rule } from '../../platform/index.js';

interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** Whether the number may be left out. */
  readonly optional?: boolean;
}

const PERCENT = { least: 0, most: 100 };

/** A number of a range, both ends included. */
export function NumberField(range: NumberRange): PropertyDecorator {
  const isRight = (value: unknown) => typeof value === 'number' && isWithin(value, range);
  return numberRule(range, isRight, `must be a number from ${range.least} to ${range.most}`);
}

/** A whole number of a range, both ends included. */
export function WholeNumberField(range: NumberRange): PropertyDecorator {
  const isRight = (value: unknown) => Number.isInteger(value) && isWithin(Number(value), range);
  return numberRule(range, isRight, `must be a whole number from ${range.least} to ${range.most}`);
}

/** A share in percent, 0 to 100. */
export function PercentField(options: { optional?: boolean } = {}): PropertyDecorator {
  return NumberField({ ...PERCENT, ...options });
}

function numberRule(
  range: NumberRange,
  isRight: (value: unknown) => boolean,
  message: string,
): PropertyDecorator {
  const isAbsent = (value: unknown) => value === undefined || value === null;
  const test = (value: unknown) => (range.optional === true && isAbsent(value)) || isRight(value);
  return applyDecorators(Rule('number', test, message));
}

function isWithin(value: number, { least, most }: NumberRange): boolean {
  return value >= least && value <= most;
}

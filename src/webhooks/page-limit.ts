import { ApiProperty } from '@nestjs/swagger';
import type { FieldProblem } from '../platform/index.js';

const DEFAULT = 20;

export const PageLimit = (maximum: number, description: string) =>
  ApiProperty({
    required: false,
    type: 'integer',
    minimum: 1,
    maximum,
    default: DEFAULT,
    description,
  });

/** Adds to `problems` when the limit is invalid. */
export function readLimit(limit: unknown, maximum: number, problems: FieldProblem[]): number {
  const size = limit === undefined ? DEFAULT : wholeNumber(limit);
  if (size < 1 || size > maximum) {
    problems.push({ field: 'limit', message: `must be a whole number from 1 to ${maximum}` });
  }
  return size;
}

/** 0 if invalid. */
function wholeNumber(value: unknown): number {
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0;
}

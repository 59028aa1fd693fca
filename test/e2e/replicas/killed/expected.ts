import { expect } from 'vitest';

export function expectEqual(found: unknown, expected: unknown): void {
  expect(found).toEqual(expected);
}

export function expectMatch(found: unknown, expected: object): void {
  expect(found).toMatchObject(expected);
}

import type { FieldProblem } from '../platform/index.js';

/** The message gives the operator the reason. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refusal';
  }
}

/** The message names every error by its path. */
export class ConfigurationError extends Refusal {
  constructor(
    readonly file: string,
    readonly problems: readonly FieldProblem[],
  ) {
    const lines = problems.map(({ field, message }) => `  - ${field ? `${field} ` : ''}${message}`);
    super(`The configuration ${file} is not valid:\n${lines.join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

import { readFileSync } from 'node:fs';

/**
 * How many files, connections among them, this process may have open. Node has raised its limit to
 * the most that it is allowed. Infinite where the system does not tell.
 */
export function maxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

import { Logger } from '@nestjs/common';
import { messageOf } from '../errors/fault.js';
import { isConnectionLost, isReadOnly } from './connection-lost.js';

const TELL_EVERY_MS = 60_000;
// Some task writes every 5 s; successful reads prove nothing about writes.
const WRITABLE_AGAIN_AFTER_MS = 8_000;
const MAX_CAUSES = 8;

const told = new WeakSet<Error>();

export function isToldOutage(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    if (told.has(current)) return true;
    current = current.cause;
  }
  return false;
}

/** Logs at most once a minute; other code then logs no lost connections. */
export class Outage {
  private readonly logger = new Logger('Database');
  private startedAt: number | null = null;
  private isTold = false;
  private refusedAt = Number.NEGATIVE_INFINITY;
  private readonly toldAt = new Map<string, number>();
  private isStopping = false;

  /** Ignores errors unrelated to the connection. */
  failed(error: unknown): void {
    if (!(error instanceof Error) || !isConnectionLost(error)) return;
    told.add(error);
    if (this.isStopping) return;
    const now = performance.now();
    this.startedAt ??= now;
    if (isReadOnly(error)) this.refusedAt = now;
    const what = isReadOnly(error) ? 'accepts no writes' : 'is unavailable';
    if (now - (this.toldAt.get(what) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return;
    this.toldAt.set(what, now);
    this.isTold = true;
    this.logger.error(`The database ${what}: ${messageOf(error)}`);
  }

  explained(error: unknown): void {
    if (error instanceof Error) told.add(error);
  }

  get isGoingOn(): boolean {
    return this.startedAt !== null;
  }

  /** From now on, connections end because the process stops. */
  stop(): void {
    this.isStopping = true;
  }

  answered(): void {
    if (this.startedAt === null) return;
    if (performance.now() - this.refusedAt < WRITABLE_AGAIN_AFTER_MS) return;
    const seconds = Math.round((performance.now() - this.startedAt) / 1_000);
    this.startedAt = null;
    if (this.isTold) this.logger.warn(`The database is available again after ${seconds} s`);
    this.isTold = false;
  }
}

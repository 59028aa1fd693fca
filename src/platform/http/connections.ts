import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import type { Metrics } from '../metrics/metrics.js';

interface ConnectionLimits {
  readonly connections: number;
  /** Per connection. */
  readonly unanswered: number;
  /** After shutdown began: time to finish a request or read a response. */
  readonly graceMs: number;
  /** After shutdown began: time for requests in progress. */
  readonly longestMs: number;
}

const MAX_UNANSWERED = 64;
const MAX_CONNECTIONS = 10_000;
/** For the database, receivers, lenders and files. */
const RESERVED_FILES = 400;
/** Connections are in order of last activity. If these are all busy, every connection is. */
const MAX_EVICTION_CANDIDATES = 100;

const LIMITS: ConnectionLimits = {
  connections: Math.max(RESERVED_FILES, Math.min(MAX_CONNECTIONS, maxOpenFiles() - RESERVED_FILES)),
  unanswered: MAX_UNANSWERED,
  graceMs: 5_000,
  longestMs: 12_000,
};

/** At the limit, the longest-idle connection is closed. Shutdown does not wait for idle clients. */
export class Connections {
  private readonly open = new Map<Socket, Set<ServerResponse>>();
  private drained: Promise<void> | undefined;
  private metrics: Pick<Metrics, 'connections' | 'drivenOut'> | undefined;

  private readonly limits: ConnectionLimits;

  constructor(limits: Partial<ConnectionLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.take(socket));
  }

  reportTo(metrics: Pick<Metrics, 'connections' | 'drivenOut'>): void {
    this.metrics = metrics;
  }

  /** From the start of the shutdown on: the server takes no new connections. */
  get isDraining(): boolean {
    return this.drained !== undefined;
  }

  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const owed = this.open.get(socket);
    // Data of a closed connection is still read.
    if (!owed) return false;
    if (owed.size >= this.limits.unanswered) {
      this.driveOut(socket, 'ahead');
      return false;
    }
    owed.add(response);
    this.moveToEnd(socket, owed);
    response.once('close', () => {
      owed.delete(response);
      this.moveToEnd(socket, owed);
    });
    if (this.isDraining) response.setHeader('Connection', 'close');
    return true;
  }

  /** @throws Error when a request was cut off after `longestMs` */
  drain(server: Server): Promise<void> {
    this.drained ??= this.endAll(server);
    return this.drained;
  }

  private async endAll(server: Server): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const owed of this.open.values()) {
      for (const response of owed) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
    }
    let isServing = false;
    const grace = setTimeout(() => this.hangUp((owed) => !isServed(owed)), this.limits.graceMs);
    const end = setTimeout(() => {
      isServing = [...this.open.values()].some(isServed);
      this.hangUp(() => true);
    }, this.limits.longestMs);
    await closed;
    clearTimeout(grace);
    clearTimeout(end);
    if (isServing) throw new Error('requests in flight were aborted: shutdown took too long');
  }

  private hangUp(isOver: (owed: Set<ServerResponse>) => boolean): void {
    for (const [socket, owed] of this.open) if (isOver(owed)) socket.destroy();
  }

  private take(socket: Socket): void {
    if (this.open.size >= this.limits.connections && !this.makeRoom()) {
      this.driveOut(socket, 'refused');
      return;
    }
    this.open.set(socket, new Set());
    this.metrics?.connections.set(this.open.size);
    socket.once('close', () => this.forget(socket));
  }

  private makeRoom(): boolean {
    let looked = 0;
    for (const [socket, owed] of this.open) {
      if (!isServed(owed)) {
        this.driveOut(socket, 'room');
        return true;
      }
      looked += 1;
      if (looked === MAX_EVICTION_CANDIDATES) break;
    }
    return false;
  }

  private driveOut(socket: Socket, reason: 'room' | 'refused' | 'ahead'): void {
    this.metrics?.drivenOut.inc({ reason });
    this.forget(socket);
    socket.destroy();
  }

  private forget(socket: Socket): void {
    this.open.delete(socket);
    this.metrics?.connections.set(this.open.size);
  }

  private moveToEnd(socket: Socket, owed: Set<ServerResponse>): void {
    if (this.open.delete(socket)) this.open.set(socket, owed);
  }
}

/** True for a complete request without a response. */
function isServed(owed: Set<ServerResponse>): boolean {
  return [...owed].some((response) => response.req.complete && !response.writableEnded);
}

/** Infinite where the system does not report it. */
function maxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

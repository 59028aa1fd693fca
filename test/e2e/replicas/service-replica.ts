import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { MASTER_KEY, type Replica } from '../../faults/replica.ts';
import { freePort } from '../../support/free-port.js';
import { type OwnService, startService } from '../../support/service.js';

/** A replica in this process, for runs that kill none. */
export class ServiceReplica implements Replica {
  readonly kills = 0;
  readonly errors: string[] = [];
  readonly name: string;
  readonly baseUrl: string;
  private readonly port: number;
  private readonly databaseUrl: string;
  private readonly environment: Record<string, string>;
  private service: OwnService | undefined;

  private constructor(
    name: string,
    port: number,
    databaseUrl: string,
    environment: Readonly<Record<string, string>>,
  ) {
    this.name = name;
    this.port = port;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.databaseUrl = databaseUrl;
    this.environment = { MASTER_KEY, ...environment };
  }

  static async create(
    this: void,
    name: string,
    databaseUrl: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<ServiceReplica> {
    return new ServiceReplica(name, await freePort(), databaseUrl, environment);
  }

  get isUp(): boolean {
    return this.service !== undefined;
  }

  get isRunning(): boolean {
    return this.isUp;
  }

  async start(): Promise<void> {
    const { databaseUrl, environment, port } = this;
    this.service = await startService({ databaseUrl, environment, port });
    this.service.app.useLogger(new ErrorLog(this.errors));
  }

  kill(): Promise<void> {
    return Promise.reject(new Error(`${this.name} is not a process of its own`));
  }

  async stop(): Promise<void> {
    const { service } = this;
    this.service = undefined;
    await service?.close();
  }
}

/** One logger serves the whole process, so the last replica collects the errors of all. */
class ErrorLog implements LoggerService {
  private readonly errors: string[];

  constructor(errors: string[]) {
    this.errors = errors;
  }

  log(): void {}

  warn(): void {}

  error(...about: unknown[]): void {
    // Flags are checked by their rows.
    const line = inspect(about);
    if (!line.includes(`msg: 'flag raised'`)) this.errors.push(line);
  }

  fatal(...about: unknown[]): void {
    this.error(...about);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiKeysRepository, type KeyAccess, KeyAccessRepository } from '../../auth/index.js';
import {
  Database,
  ENVIRONMENT,
  type Environment,
  isOpenSandbox,
  PageCookies,
  sha256,
  WORKBENCH_COOKIE,
} from '../../platform/index.js';
import { demonstrationKey } from '../../settings/index.js';
import { WorkbenchSessionsRepository } from '../store/workbench-sessions.repository.js';

/** Who looks at the workbench: a partner, with what the key may do by which they came. */
export interface WorkbenchVisitor extends KeyAccess {
  /** When the session ends; null for the demonstration, which has none. */
  readonly expiresAt: Date | null;
}

/** NOBODY: never signed in. OVER: the session has run out or was ended, or its key is not active any more. */
export type NoVisitor = 'NOBODY' | 'OVER';

/**
 * Tells who a browser is. What a session may do is asked of its key at every page: it ends with the key, with the partner and
 * with the scope that opens the workbench, on every replica at once. In an open sandbox a browser without a session is the demonstration
 * partner's: its key is written openly in the repository.
 */
@Injectable()
export class WorkbenchVisitors {
  private demonstrationHash?: string | null;

  constructor(
    private readonly database: Database,
    private readonly cookies: PageCookies,
    private readonly sessions: WorkbenchSessionsRepository,
    private readonly access: KeyAccessRepository,
    private readonly keys: ApiKeysRepository,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  async of(request: Request): Promise<WorkbenchVisitor | NoVisitor> {
    const token = this.cookies.read(request, WORKBENCH_COOKIE);
    if (!token) return (await this.demonstration()) ?? 'NOBODY';
    const session = await this.sessions.find(sha256(token));
    if (!session) return 'OVER';
    const access = await this.accessOf(session.keyId);
    if (access) return { ...access, expiresAt: session.expiresAt };
    await this.database.transaction((tx) => this.sessions.end(tx, session.linkHash));
    return 'OVER';
  }

  /** The cookie has no age: it goes with the browser's own session, and the server ends it sooner. */
  signIn(response: Response, token: string): void {
    this.cookies.set(response, WORKBENCH_COOKIE, token);
  }

  async signOut(request: Request, response: Response): Promise<void> {
    const token = this.cookies.read(request, WORKBENCH_COOKIE);
    const session = token ? await this.sessions.find(sha256(token)) : null;
    if (session) await this.database.transaction((tx) => this.sessions.end(tx, session.linkHash));
    this.cookies.clear(response, WORKBENCH_COOKIE);
  }

  /** Whether this browser's live session was opened by this link. */
  async cameBy(request: Request, link: string): Promise<boolean> {
    const token = this.cookies.read(request, WORKBENCH_COOKIE);
    const session = token ? await this.sessions.find(sha256(token)) : null;
    return session?.linkHash === sha256(link);
  }

  /** Whether there is a workbench for whoever has no session. */
  async hasDemonstration(): Promise<boolean> {
    return (await this.demonstration()) !== null;
  }

  private async demonstration(): Promise<WorkbenchVisitor | null> {
    if (!isOpenSandbox(this.environment)) return null;
    if (this.demonstrationHash === undefined) {
      const key = demonstrationKey(this.environment.configFile);
      this.demonstrationHash = key ? sha256(key.apiKey) : null;
    }
    const key =
      this.demonstrationHash === null ? null : await this.keys.findByHash(this.demonstrationHash);
    const access = key && (await this.accessOf(key.id));
    return access && { ...access, expiresAt: null };
  }

  private async accessOf(keyId: string): Promise<KeyAccess | null> {
    const access = await this.access.find(keyId);
    return access?.scopes.includes('workbench:open') ? access : null;
  }
}

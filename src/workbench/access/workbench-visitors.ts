import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  ApiKeysRepository,
  type KeyAccess,
  KeyAccessRepository,
  type Scope,
} from '../../auth/index.js';
import {
  Database,
  type Environment,
  Fault,
  InjectEnvironment,
  isOpenSandbox,
  PageCookies,
  type RawRequest,
  sha256,
  WORKBENCH_COOKIE,
} from '../../platform/index.js';
import { demonstrationKey } from '../../settings/index.js';
import {
  type OpenWorkbenchSession,
  WorkbenchSessionsRepository,
} from '../store/workbench-sessions.repository.js';

export interface WorkbenchVisitor extends KeyAccess {
  /** Null for the demonstration. */
  readonly expiresAt: Date | null;
}

/** OVER: the session has expired or ended, or its key is inactive. */
export type NoVisitor = 'NOBODY' | 'OVER';

export interface WorkbenchRequest extends RawRequest {
  workbenchVisitor?: WorkbenchVisitor;
}

export class NotSignedIn extends Error {
  constructor(readonly why: NoVisitor) {
    super(why);
    this.name = 'NotSignedIn';
  }
}

/** @throws Fault scope_missing */
export function requireScope({ scopes }: WorkbenchVisitor, scope: Scope): void {
  if (scopes.includes(scope)) return;
  const message = `The key that opened this session lacks the scope ${scope}`;
  throw new Fault('scope_missing', { message });
}

/**
 * Each page checks the session's key, so revocation takes effect at once. An open sandbox shows the
 * demonstration partner, whose key is public.
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
    @InjectEnvironment private readonly environment: Environment,
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

  /** A session cookie; the server ends the session sooner. */
  signIn(response: Response, token: string): void {
    this.cookies.set(response, WORKBENCH_COOKIE, token);
  }

  async signOut(request: Request, response: Response): Promise<void> {
    const session = await this.sessionOf(request);
    if (session) await this.database.transaction((tx) => this.sessions.end(tx, session.linkHash));
    this.cookies.clear(response, WORKBENCH_COOKIE);
  }

  /** Whether the link opened this browser's live session. */
  async isOpenedBy(request: Request, link: string): Promise<boolean> {
    const session = await this.sessionOf(request);
    return session?.linkHash === sha256(link);
  }

  async hasDemonstration(): Promise<boolean> {
    return (await this.demonstration()) !== null;
  }

  private async sessionOf(request: Request): Promise<OpenWorkbenchSession | null> {
    const token = this.cookies.read(request, WORKBENCH_COOKIE);
    return token ? this.sessions.find(sha256(token)) : null;
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

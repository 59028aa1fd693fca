import { Injectable } from '@nestjs/common';
import { QuestionOutbox, type SessionVerdict } from '../../lenders/index.js';
import { Database } from '../../platform/index.js';
import { LenderAnswers } from '../progress/lender-answers.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import type { ProviderVisit } from './provider-sessions.js';
import { questionAbout } from './redirect-steps.js';

// For when neither the applicant nor a callback comes back.
const FIRST_CHECK_MS = 60_000;

type OpenedSession = Extract<SessionVerdict, { kind: 'OPENED' }>;
type RefusedSession = Extract<SessionVerdict, { kind: 'REFUSED' }>;

/** Records what came of a visit to a provider. */
@Injectable()
export class ProviderVisits {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly questionOutbox: QuestionOutbox,
    private readonly answers: LenderAnswers,
  ) {}

  /** @returns false when the journey has moved on */
  async record(visit: ProviderVisit, { url, covers, expiresAt }: OpenedSession): Promise<boolean> {
    const { redirect, sessionNumber } = visit;
    return this.database.transaction(async (tx) => {
      // Everyone locks the journey before its redirect.
      const journey = await this.journeys.lock(tx, redirect.partnerId, redirect.journeyId);
      const sessionExpiresAt = expiresAt === undefined ? null : new Date(expiresAt);
      const session = { covers, sessionNumber, sessionExpiresAt };
      await this.redirects.markVisited(tx, redirect, session);
      // No question about a step that is over.
      if (journey?.redirectId !== redirect.id) return false;
      await this.redirects.keepSession(tx, redirect, url);
      await this.journeys.touch(tx, journey);
      await this.questionOutbox.put(tx, {
        ...questionAbout(redirect),
        payload: visit.payload,
        delayMs: FIRST_CHECK_MS,
        isSessionOpen: true,
      });
      return true;
    });
  }

  /** A lender that opens no session has refused the step. */
  async recordRefusal(
    { redirect }: ProviderVisit,
    { answerId, reason, detail }: RefusedSession,
  ): Promise<void> {
    const answer = { kind: 'REFUSED', reason, ...(detail !== undefined && { detail }) } as const;
    await this.database.transaction((tx) =>
      this.answers.receive(tx, { ...questionAbout(redirect), answerId, answer }),
    );
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import { HostedLimits } from './hosted-limits.js';
import type { HostedKey } from '../applicant/hosted-view.js';

/** How many PDFs of statements that are not agreed to yet an applicant may have drawn. */
@Injectable()
export class DraftAllowance {
  constructor(
    private readonly database: Database,
    private readonly limits: HostedLimits,
  ) {}

  /** Counts one more; answers null, or until when there can be none for this journey. */
  take({ journeyId }: HostedKey): Promise<Date | null> {
    return this.database.transaction((tx) =>
      this.limits.take(tx, 'DRAFT_PDFS_OF_JOURNEY', journeyId),
    );
  }
}

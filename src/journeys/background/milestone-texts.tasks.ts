import { Injectable, Logger } from '@nestjs/common';
import {
  Database,
  DuePoller,
  logFailure,
  ScheduledTask,
  takeInTurn,
} from '../../platform/index.js';
import { MilestonesRepository } from '../store/milestones.repository.js';
import { MilestoneTexts } from './milestone-texts.js';

const EVERY_MS = 1_000;
const MAX_PER_PASS = 500;

/** The journey's row lock claims each text. */
@Injectable()
export class MilestoneTextsTasks {
  private readonly logger = new Logger(MilestoneTextsTasks.name);

  constructor(
    private readonly database: Database,
    private readonly milestones: MilestonesRepository,
    private readonly texts: MilestoneTexts,
    private readonly poller: DuePoller,
  ) {}

  @ScheduledTask('milestone-texts', EVERY_MS)
  async run(): Promise<void> {
    await takeInTurn(this.database, {
      max: MAX_PER_PASS,
      isAnyDue: () => this.poller.isDue('milestone-texts', MilestonesRepository.DUE),
      claim: (tx, passedOver) => this.milestones.claimDue(tx, passedOver),
      work: (tx, due) => this.texts.tell(tx, due),
      onFailure: (error, { id, milestone }) =>
        logFailure(this.logger, error, { journeyId: id, milestone }),
    });
  }
}

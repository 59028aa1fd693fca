import { Injectable } from '@nestjs/common';
import { Database, validationFault } from '../../platform/index.js';
import type { LenderBranch } from '../../settings/index.js';
import type { Selection } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { OffersRepository } from '../store/offers.repository.js';
import type { ActionHandler, PreparedAction } from './action-handler.js';

export interface BranchIntent {
  /** If given, must be the selected offer. */
  readonly offerId?: string;
  readonly branchLocationId: string;
}

@Injectable()
export class SelectBranchHandler implements ActionHandler<BranchIntent> {
  readonly kind = 'SELECT_GOLD_LOAN_BRANCH';
  readonly state = 'OFFER_SELECTED';

  constructor(
    private readonly database: Database,
    private readonly offers: OffersRepository,
    private readonly mover: JourneyMover,
  ) {}

  async prepare(journey: Journey, payload: BranchIntent): Promise<PreparedAction> {
    const offer = await this.database.transaction((tx) => this.offers.selected(tx, journey));
    const problems = [];
    if (payload.offerId !== undefined && payload.offerId !== offer.id) {
      problems.push({ field: 'payload.offerId', message: 'must be the selected offer’s offerId' });
    }
    const branch = offer.terms.branches.find(({ id }) => id === payload.branchLocationId);
    if (!branch) {
      problems.push({
        field: 'payload.branchLocationId',
        message: 'must be the id of one of the selected offer’s branchLocations',
      });
    }
    if (problems.length > 0) throw validationFault(problems);
    const { branchLocationId } = payload;
    return {
      call: () =>
        Promise.resolve({
          record: async (tx, current) => {
            const selection = withBranch(current.selection, branch);
            const changes = { selectedBranchId: branchLocationId, selection };
            await this.mover.move(tx, current, 'BRANCH_SELECTED', changes);
            return null;
          },
        }),
    };
  }
}

function withBranch(
  selection: Selection | null,
  branch: LenderBranch | undefined,
): Selection | null {
  const branchReference = branch?.reference;
  return selection && branchReference !== undefined ? { ...selection, branchReference } : selection;
}

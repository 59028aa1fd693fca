import { Applications } from './applications.ts';
import type { Database } from './database.ts';
import { Loans } from './loans.ts';
import { PassedSteps } from './passed-steps.ts';
import { Selections } from './selections.ts';
import { Sessions } from './sessions.ts';
import type { World } from './world.ts';

/** Everything that a decision may read and write. */
export interface Books {
  readonly world: World;
  readonly applications: Applications;
  readonly selections: Selections;
  readonly sessions: Sessions;
  readonly passedSteps: PassedSteps;
  readonly loans: Loans;
}

export function openBooks(database: Database, world: World): Books {
  return {
    world,
    applications: new Applications(database, world),
    selections: new Selections(database, world),
    sessions: new Sessions(database, world),
    passedSteps: new PassedSteps(database, world),
    loans: new Loans(database, world),
  };
}

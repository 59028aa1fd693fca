import { type LoanKey, PersonalDataRegistry } from '../../src/erasure/index.js';
import { Database } from '../../src/platform/index.js';
import type { TestService } from './service.js';

/** Has all who keep records about a loan erase them; answers how many had anything to erase. */
export function eraseRecords(service: TestService, loan: LoanKey): Promise<number> {
  const { recordHolders } = service.get<PersonalDataRegistry>(PersonalDataRegistry);
  return service.get<Database>(Database).transaction(async (tx) => {
    let count = 0;
    for (const holder of recordHolders) count += await holder.erase(tx, loan);
    return count;
  });
}

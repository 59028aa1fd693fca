export {
  ApplicantErasure,
  type ErasureResult,
  type ErasureSubject,
  ErasureModule,
} from './applicant-erasure.js';
export type {
  ErasureObstacle,
  LoanHolder,
  LoanKey,
  LoanSearch,
  PersonalDataHolder,
} from './personal-data.js';
export { PersonalDataRegistry } from './personal-data-registry.js';

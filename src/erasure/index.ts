export { ApplicantErasure, type ErasureResult, ErasureModule } from './applicant-erasure.js';
export {
  type ErasureObstacle,
  type LoanHolder,
  type LoanKey,
  type LoanSearch,
  type PersonalDataHolder,
  PersonalDataRegistry,
} from './personal-data.js';

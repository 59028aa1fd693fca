/** Which leads of a partner; what is left out filters nothing. */
export interface LeadsFilter {
  readonly status?: string;
  readonly loanType?: string;
  /** The earliest and the latest moment of submission, both included. */
  readonly from?: Date;
  readonly to?: Date;
  /** Either names one lead at most. */
  readonly journeyId?: string;
  readonly applicationId?: string;
}

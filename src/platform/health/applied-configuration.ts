/** Port: whether this database has a configuration to serve with. */
export abstract class AppliedConfiguration {
  /** Whether the database says within so many milliseconds that a configuration was applied. */
  abstract isApplied(withinMs: number): Promise<boolean>;
}

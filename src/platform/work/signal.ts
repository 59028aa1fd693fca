/**
 * Lets a module below tell those above that there is something new without knowing them: they
 * listen, it calls. The news itself stands in the database; a signal that is lost only costs time.
 */
export class Signal {
  private readonly listeners: (() => void)[] = [];

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  raise(): void {
    for (const listener of this.listeners) listener();
  }
}

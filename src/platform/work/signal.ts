/**
 * Lets a module below tell those above that there is something new without knowing them: they
 * listen, it calls. The news itself stands in the database; a signal that is lost only costs time.
 */
export class Signal<News = void> {
  private readonly listeners: ((news: News) => void)[] = [];

  listen(listener: (news: News) => void): void {
    this.listeners.push(listener);
  }

  raise(news: News): void {
    for (const listener of this.listeners) listener(news);
  }
}

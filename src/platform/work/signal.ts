/**
 * Notifies modules above without importing them. The data is in the database, so a lost signal only
 * costs time.
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

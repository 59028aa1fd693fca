/** Keeps the values that were asked for last, so many of them; beyond that the oldest one goes. */
export class RecentlyUsed<Key, Value> {
  /** The one used longest ago first. */
  private readonly kept = new Map<Key, Value>();

  constructor(private readonly most: number) {}

  /** What is kept; else what is made, which is kept from then on. What is thrown is not kept. */
  get(key: Key, make: () => Value): Value {
    const value = this.kept.has(key) ? (this.kept.get(key) as Value) : make();
    this.keep(key, value);
    return value;
  }

  /** What is kept; undefined when nothing is. */
  find(key: Key): Value | undefined {
    const value = this.kept.get(key);
    if (value !== undefined) this.keep(key, value);
    return value;
  }

  /** Keeps a value from now on, in the place of what was kept under the same key. */
  keep(key: Key, value: Value): void {
    this.kept.delete(key);
    this.kept.set(key, value);
    if (this.kept.size > this.most) {
      const [oldest] = this.kept.keys();
      this.kept.delete(oldest);
    }
  }

  forget(key: Key): void {
    this.kept.delete(key);
  }
}

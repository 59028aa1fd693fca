/** Keeps the values that were asked for last, so many of them; beyond that the oldest one goes. */
export class RecentlyUsed<Key, Value> {
  /** The one used longest ago first. */
  private readonly kept = new Map<Key, Value>();

  constructor(private readonly most: number) {}

  /** What is kept; else what is made, which is kept from then on. What is thrown is not kept. */
  get(key: Key, make: () => Value): Value {
    const value = this.kept.has(key) ? (this.kept.get(key) as Value) : make();
    this.kept.delete(key);
    this.kept.set(key, value);
    if (this.kept.size > this.most) {
      const [oldest] = this.kept.keys();
      this.kept.delete(oldest);
    }
    return value;
  }
}

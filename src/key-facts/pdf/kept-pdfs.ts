/** Documents that were drawn lately, up to so many bytes in all; the longest unused goes first. */
export class KeptPdfs {
  // A map keeps its order of insertion, so the first entry is the longest unused.
  private readonly documents = new Map<string, Buffer>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): Buffer | undefined {
    const document = this.documents.get(key);
    if (document) {
      this.documents.delete(key);
      this.documents.set(key, document);
    }
    return document;
  }

  put(key: string, document: Buffer): void {
    this.forget(key);
    if (document.length > this.maxBytes) return;
    this.documents.set(key, document);
    this.bytes += document.length;
    for (const [oldest] of this.documents) {
      if (this.bytes <= this.maxBytes) break;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    const document = this.documents.get(key);
    if (!document) return;
    this.documents.delete(key);
    this.bytes -= document.length;
  }
}

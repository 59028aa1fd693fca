// BASE_URL=… API_KEY=… API_SECRET=… node poll.mjs CURSOR_FILE
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const { BASE_URL, API_KEY, API_SECRET } = process.env;
const [cursorFile] = process.argv.slice(2);

async function get(target) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const signed = `GET\n${target}\n${timestamp}\n${nonce}\n`;
  const signature = createHmac('sha256', API_SECRET).update(signed).digest('hex');
  const response = await fetch(BASE_URL + target, {
    headers: {
      'x-api-key': API_KEY,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
    },
  });
  const answer = await response.json();
  if (!answer.success) throw new Error(`${answer.code}: ${answer.error}`);
  return answer.data;
}

let after = existsSync(cursorFile) ? readFileSync(cursorFile, 'utf8') : '';
for (let hasMore = true; hasMore;) {
  const page = await get(`/api/v1/partner/events?limit=100&after=${after}`);
  for (const event of page.events) console.log(event.id, event.event, event.journeyId ?? 'alert');
  // Only now, so that events not handled before a crash are read again.
  writeFileSync(cursorFile, page.next);
  after = page.next;
  hasMore = page.hasMore;
}

// Puts the nearest branch first, when the applicant asks for it. Where they are stays in the browser.
const EARTH_KM = 6371;

const box = document.getElementById('branch-nearest');
const button = document.getElementById('branch-nearest-button');
const status = document.getElementById('branch-nearest-status');
const list = document.getElementById('branches');

/** Kilometres as the crow flies, between two places in degrees (the haversine formula). */
function distance(one, other) {
  const radians = (degrees) => (degrees * Math.PI) / 180;
  const half = (from, to) => Math.sin(radians(to - from) / 2) ** 2;
  const part =
    half(one.latitude, other.latitude) +
    Math.cos(radians(one.latitude)) *
      Math.cos(radians(other.latitude)) *
      half(one.longitude, other.longitude);
  return 2 * EARTH_KM * Math.asin(Math.sqrt(part));
}

function placeOf(branch) {
  return { latitude: Number(branch.dataset.latitude), longitude: Number(branch.dataset.longitude) };
}

function shownDistance(kilometres) {
  const digits = kilometres < 10 ? 1 : 0;
  return new Intl.NumberFormat('en-IN', { maximumFractionDigits: digits }).format(kilometres);
}

function sort({ coords }) {
  const measured = [...list.children].map((branch) => ({
    branch,
    kilometres: distance(coords, placeOf(branch)),
    name: branch.querySelector('b').textContent,
  }));
  measured.sort((a, b) => a.kilometres - b.kilometres || a.name.localeCompare(b.name, 'en'));
  for (const { branch, kilometres } of measured) {
    const text = list.dataset.away.replace('#', shownDistance(kilometres));
    branch.querySelector('.branch-distance').textContent = text;
    list.append(branch);
  }
  status.textContent = status.dataset.sorted;
}

if (box && button && status && list && 'geolocation' in navigator) {
  box.hidden = false;
  button.addEventListener('click', () => {
    status.textContent = status.dataset.looking;
    navigator.geolocation.getCurrentPosition(
      sort,
      () => {
        status.textContent = status.dataset.denied;
      },
      { maximumAge: 300_000, timeout: 15_000 },
    );
  });
}

// Amounts and moments as people read them, in the reader's own zone.

const DAY = 86400000;
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const withYear = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "long", year: "numeric" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });

export function dayOf(at) {
  const moment = new Date(at);
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}

export function dayName(day, now) {
  const today = dayOf(now);
  if (day === today) return "Today";
  if (day === dayOf(today - DAY / 2)) return "Yesterday";
  const isThisYear = new Date(day).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? weekday : withYear).format(day);
}

export function timeOf(at) {
  return clock.format(at);
}

export function momentOf(at) {
  return whole.format(at);
}

// Whole units that have passed, as the command line counts them.
export function ageOf(at, now) {
  const minutes = Math.max(0, Math.floor((now - at) / 60000));
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / 1440);
  if (days < 60) return `${days} days ago`;
  return days < 730 ? `${Math.floor(days / 30.4)} months ago` : `${Math.floor(days / 365)} years ago`;
}

export function counted(many, one) {
  return `${many.toLocaleString()} ${one}${many === 1 ? "" : "s"}`;
}

export function spoken(seconds) {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

"use strict";
// Draws the schedules of a page. All data is in the page, so the script loads nothing.
(function () {

  const CLASSES = ["shorter", "same", "longer"];
  const SAME = 60;  // waits that differ by at most this many seconds count as the same
  const FEW = 6000;  // up to this many bars are drawn one by one; above, drawDensity draws their shares
  const HATCHED = 1000;  // up to this many bars are hatched; hatching more would take too long
  const MINUTE = 60, HOUR = 3600, DAY = 86400;
  const STEPS = [1, 5, 15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR,
    12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 182 * DAY, 364 * DAY, 1820 * DAY];
  const MOST_NAMED = 5;  // most jobs that are named as having overtaken a job

  // --- data in the page -------------------------------------------------------------------------

  // Returns the bytes of a base64 text that was deflated without a zlib header.
  async function unpackedBytes(text) {
    const packed = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Returns numbers of 32 bits: the text has first the lowest bytes of all numbers, then the next.
  async function unpacked(text) {
    const bytes = await unpackedBytes(text);
    const many = bytes.length / 4;
    const numbers = new Int32Array(many);
    for (let i = 0; i < many; i++) {
      numbers[i] = bytes[i] | bytes[many + i] << 8 | bytes[2 * many + i] << 16 | bytes[3 * many + i] << 24;
    }
    return numbers;
  }

  async function unpackedColumns(columns) {
    const names = Object.keys(columns);
    const all = await Promise.all(names.map((name) => unpacked(columns[name])));
    return Object.fromEntries(names.map((name, place) => [name, all[place]]));
  }

  const unpackedNames = async (text) => text && JSON.parse(new TextDecoder().decode(await unpackedBytes(text)));

  function sums(steps, unit) {
    const found = new Float64Array(steps.length);
    let sum = 0;
    for (let i = 0; i < steps.length; i++) found[i] = sum += steps[i] * unit;
    return found;
  }

  // Returns the first index from low to before high whose sorted number is at least the value.
  function firstFrom(sorted, value, low, high) {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle] < value) low = middle + 1; else high = middle;
    }
    return low;
  }

  // Returns the jobs' data common to both schedules, by submission, in seconds since the first one.
  async function readJobs(data) {
    const columns = await unpackedColumns(data.columns);
    const unit = data.unit;
    return {
      many: data.jobs, unit, number: sums(columns.number, 1), submit: sums(columns.submit, unit),
      processors: columns.processors, runTime: columns.run_time, walltime: columns.walltime, user: columns.user,
      names: await unpackedNames(data.names), users: await unpackedNames(data.users),
    };
  }

  // Returns a schedule: start and end of each job, the jobs by start, and the packed columns.
  async function readSchedule(told, jobs) {
    const columns = await unpackedColumns(told.columns);
    const many = jobs.many, unit = jobs.unit;
    const start = new Float64Array(many), end = new Float64Array(many);
    for (let job = 0; job < many; job++) {
      if (columns.wait[job] < 0) { start[job] = end[job] = NaN; continue; }
      start[job] = jobs.submit[job] + columns.wait[job] * unit;
      end[job] = start[job] + (jobs.runTime[job] + columns.longer[job]) * unit;
    }
    return { name: told.name, start, end, byStart: sortedJobs(start, unit), columns };
  }

  // Returns bars in groups by colour and length. Each group is sorted by start, for a binary search.
  function makeBars(schedule, jobs, kinds) {
    const { byStart, columns, start, end } = schedule;
    const { intervals, gaps, lengths } = columns, many = gaps.length, lengthsOf = 32;
    const group = new Uint8Array(jobs.many), sizes = new Uint32Array(CLASSES.length * lengthsOf);
    const longest = new Float64Array(sizes.length), next = new Uint32Array(sizes.length);
    for (const job of byStart) {
      const long = end[job] - start[job];
      const own = group[job] = kinds[job] * lengthsOf + Math.floor(Math.log2(long + 1) / 2);
      sizes[own] += intervals[job];
      if (long > longest[own]) longest[own] = long;
    }
    const groups = [];
    let first = 0;
    sizes.forEach((size, own) => {
      next[own] = first;
      if (size) groups.push({ kind: Math.floor(own / lengthsOf), first, after: first + size, longest: longest[own] });
      first += size;
    });
    const bars = { groups, job: new Uint32Array(many), low: new Int32Array(many), high: new Int32Array(many),
      start: new Float64Array(many), end: new Float64Array(many) };
    let interval = 0, length = 0;
    for (const job of byStart) {
      let reached = 0, left = jobs.processors[job];
      for (let last = intervals[job] - 1; last >= 0; last--) {
        const at = next[group[job]]++, low = reached + gaps[interval++];
        reached = low + (last ? lengths[length++] : left);
        left -= reached - low;
        bars.job[at] = job; bars.start[at] = start[job]; bars.end[at] = end[job];
        bars.low[at] = low; bars.high[at] = reached;
      }
    }
    return bars;
  }

  // Returns the jobs with a date, by date, then by index. The keys stay below 2^53, thus exact.
  function sortedJobs(dates, unit) {
    const many = dates.length, keys = new Float64Array(many);
    let known = 0;
    for (let job = 0; job < many; job++) {
      if (!isNaN(dates[job])) keys[known++] = Math.round(dates[job] / unit) * many + job;
    }
    return Uint32Array.from(keys.subarray(0, known).sort(), (key) => key % many);
  }

  // Returns a function that sums the sizes (or counts the jobs) with dates up to a given date.
  function makeCounter(dates, sizes, unit) {
    const order = sortedJobs(dates, unit);
    const sorted = Float64Array.from(order, (job) => dates[job]);
    const sum = new Float64Array(order.length + 1);
    order.forEach((job, place) => { sum[place + 1] = sum[place] + (sizes ? sizes[job] : 1); });
    return (date) => sum[firstFrom(sorted, date + 1e-9, 0, sorted.length)];
  }

  // --- words ------------------------------------------------------------------------------------

  const counted = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many || one + "s"}`;

  function spoken(seconds) {
    if (isNaN(seconds)) return "-";
    if (seconds < 0) return "-" + spoken(-seconds);
    if (seconds < MINUTE) return `${Math.round(seconds)} s`;
    for (const [unit, name, part, partName, limit] of
      [[MINUTE, "min", 1, "s", HOUR], [HOUR, "h", MINUTE, "min", DAY], [DAY, "d", HOUR, "h", 10 * DAY]]) {
      const parts = Math.round(seconds / part), whole = Math.floor(parts / (unit / part));
      const rest = parts - whole * unit / part;
      if (seconds < limit) return rest ? `${whole} ${name} ${rest} ${partName}` : `${whole} ${name}`;
    }
    return `${Math.round(seconds / DAY)} d`;
  }

  const two = (number) => String(number).padStart(2, "0");

  // Returns a date in the machine's local time, or the day since the first submission.
  function dated(seconds, origin, step) {
    if (origin === null) {
      const day = Math.floor(seconds / DAY), rest = seconds - day * DAY;
      const time = `${two(Math.floor(rest / HOUR))}:${two(Math.floor(rest % HOUR / MINUTE))}`;
      return step >= DAY ? `day ${day}` : step >= MINUTE ? `day ${day} ${time}` : `${time}:${two(Math.floor(rest % MINUTE))}`;
    }
    const text = new Date((origin + seconds) * 1000).toISOString();
    const day = text.slice(0, 10), time = text.slice(11, 16);
    return step >= DAY ? day : step >= MINUTE ? `${day} ${time}` : text.slice(11, 19);
  }

  function element(name, text, classes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (classes) made.className = classes;
    return made;
  }

  // --- drawing ----------------------------------------------------------------------------------

  // Calls a function with the position of each bar in view, in pixels.
  function eachInView(bars, view, width, height, visit) {
    const across = width / (view.to - view.from), up = height / (view.high - view.low);
    for (const group of bars.groups) {
      const first = firstFrom(bars.start, view.from - group.longest, group.first, group.after);
      const after = firstFrom(bars.start, view.to, first, group.after);
      for (let i = first; i < after; i++) {
        if (bars.end[i] <= view.from || bars.high[i] <= view.low || bars.low[i] >= view.high) continue;
        visit(i, group.kind, (bars.start[i] - view.from) * across, (bars.end[i] - view.from) * across,
          (bars.low[i] - view.low) * up, (bars.high[i] - view.low) * up);
      }
    }
  }

  function barsInView(bars, view) {
    let many = 0;
    for (const group of bars.groups) {
      const first = firstFrom(bars.start, view.from - group.longest, group.first, group.after);
      many += firstFrom(bars.start, view.to, first, group.after) - first;
    }
    return many;
  }

  function drawBars(context, bars, view, width, height, colours) {
    context.clearRect(0, 0, width, height);
    let last = -1;
    eachInView(bars, view, width, height, (i, kind, left, right, top, bottom) => {
      if (kind !== last) { context.fillStyle = colours[kind]; last = kind; }
      left = Math.max(left, -9); right = Math.min(right, width + 9);
      // a gap separates neighbouring bars that are large enough
      const wide = right - left > 4 ? right - left - 1 : Math.max(right - left, 1);
      const high = bottom - top > 4 ? bottom - top - 1 : Math.max(bottom - top, .5);
      context.fillRect(left, top, wide, high);
    });
  }

  // Returns the fillings of bars: jobs that wait longer are hatched, for readers who see no colours.
  function fillings(context, colours) {
    const tile = document.createElement("canvas"), drawn = tile.getContext("2d");
    tile.width = tile.height = 6;
    drawn.fillStyle = colours[2];
    drawn.fillRect(0, 0, 6, 6);
    drawn.strokeStyle = "rgba(0, 0, 0, .45)";
    drawn.beginPath();
    for (const shift of [-6, 0, 6]) { drawn.moveTo(shift, 6); drawn.lineTo(shift + 6, 0); }
    drawn.stroke();
    return [colours[0], colours[1], context.createPattern(tile, "repeat")];
  }

  // Draws pixels with the mean colour of their jobs, weighted by time and processors in the pixel.
  function drawDensity(context, bars, view, width, height, colours, room) {
    const pixels = width * height;
    if (room.pixels !== pixels) {
      room.pixels = pixels;
      room.shares = CLASSES.map(() => new Float32Array(pixels));
      room.image = context.createImageData(width, height);
    }
    for (const share of room.shares) share.fill(0);
    const across = width / (view.to - view.from), up = height / (view.high - view.low);
    for (const group of bars.groups) {
      const share = room.shares[group.kind];
      const first = firstFrom(bars.start, view.from - group.longest, group.first, group.after);
      const after = firstFrom(bars.start, view.to, first, group.after);
      for (let i = first; i < after; i++) {
        const left = Math.max(0, (bars.start[i] - view.from) * across);
        const right = Math.min(width, (bars.end[i] - view.from) * across);
        const top = Math.max(0, (bars.low[i] - view.low) * up);
        const bottom = Math.min(height, (bars.high[i] - view.low) * up);
        if (right <= left || bottom <= top) continue;
        const lastX = Math.min(width - 1, right | 0), lastY = Math.min(height - 1, bottom | 0);
        for (let y = top | 0; y <= lastY; y++) {
          const part = Math.min(bottom, y + 1) - Math.max(top, y);
          const row = y * width;
          for (let x = left | 0; x <= lastX; x++) {
            share[row + x] += part * (Math.min(right, x + 1) - Math.max(left, x));
          }
        }
      }
    }
    const [one, two, three] = room.shares, [a, b, c] = colours, image = room.image.data;
    for (let at = 0, byte = 0; at < pixels; at++, byte += 4) {
      const all = one[at] + two[at] + three[at];
      image[byte + 3] = 255 * all;
      if (all === 0) continue;
      image[byte] = (one[at] * a[0] + two[at] * b[0] + three[at] * c[0]) / all;
      image[byte + 1] = (one[at] * a[1] + two[at] * b[1] + three[at] * c[1]) / all;
      image[byte + 2] = (one[at] * a[2] + two[at] * b[2] + three[at] * c[2]) / all;
    }
    context.putImageData(room.image, 0, 0);
  }

  // --- the charts of one block ------------------------------------------------------------------

  class Charts {
    constructor(block, data, jobs, schedules) {
      this.block = block; this.data = data; this.jobs = jobs; this.schedules = schedules;
      this.all = { from: 0, to: Math.max(1, data.end), low: 0, high: data.processors };
      this.view = { ...this.all, ...(data.opens === null ? {} : {
        from: Math.max(0, data.opens), to: Math.min(this.all.to, data.opens + DAY) }) };
      this.picked = -1;
      this.pointers = new Map();
      const find = (name) => block.querySelector(name);
      this.plots = [...block.querySelectorAll(".plot")];
      this.canvases = this.plots.map((plot) => plot.querySelector("canvas"));
      this.contexts = this.canvases.map((canvas) => canvas.getContext("2d"));
      this.rooms = this.canvases.map(() => ({}));
      this.axis = find(".axis"); this.at = find(".at"); this.told = find(".told");
      this.change = new Float64Array(jobs.many);
      this.kinds = new Uint8Array(jobs.many);
      const [base, other] = schedules;
      const numbers = [0, 0, 0];
      for (let job = 0; job < jobs.many; job++) {
        const change = this.change[job] = other.start[job] - base.start[job];
        this.kinds[job] = change < -SAME ? 0 : change > SAME ? 2 : 1;
        numbers[this.kinds[job]] += 1;
      }
      for (const schedule of schedules) schedule.bars = makeBars(schedule, jobs, this.kinds);
      CLASSES.forEach((name, kind) => {
        find(`.legend .${name} output`).textContent = data.all ? ` (${counted(numbers[kind], "job")})` : "";
      });
      this.place = new Map(Array.from(jobs.number, (number, job) => [number, job]));
      this.listed = [];
      this.listen();
      find(".needs").hidden = true;
      find(".charts").hidden = false;
      this.resize();
    }

    // texts about jobs

    name(job) {
      const { names, number } = this.jobs;
      return `job ${names ? names[job] : this.data.named ? number[job] : number[job].toLocaleString("en")}`;
    }

    whose(job) {
      const user = this.jobs.user ? this.jobs.user[job] : 0;
      return !user ? "" : this.jobs.users ? `, user ${this.jobs.users[user - 1]}` : `, user ${user}`;
    }

    overtakers(schedule, job) {
      const found = [], start = schedule.start, submit = this.jobs.submit;
      const after = firstFrom(submit, start[job], 0, this.jobs.many);
      for (let other = job + 1; other < after; other++) {
        if (submit[other] > submit[job] && start[other] < start[job]) found.push(other);
      }
      const work = (one) => this.jobs.processors[one] * this.jobs.runTime[one];
      return found.sort((one, other) => work(other) - work(one));
    }

    inShort(schedule, job) {
      return `${schedule.name}: ${this.name(job)}${this.whose(job)}, ` +
        `${counted(this.jobs.processors[job], "processor")}, ran ${spoken(schedule.end[job] - schedule.start[job])}, ` +
        `waited ${spoken(schedule.start[job] - this.jobs.submit[job])}`;
    }

    tell(job) {
      const { jobs, data } = this;
      const walltime = jobs.walltime[job], asked = walltime < 0 ? "no walltime" : `a walltime of ${spoken(walltime * jobs.unit)}`;
      this.told.replaceChildren(
        element("h4", `${this.name(job)}${this.whose(job)}`.replace(/^j/, "J")),
        element("p", `It requested ${counted(jobs.processors[job], "processor")} and ${asked}, ` +
          `was submitted ${data.origin === null ? "on" : "at"} ${dated(jobs.submit[job], data.origin, MINUTE)} ` +
          `and ran ${spoken(jobs.runTime[job] * jobs.unit)}.`));
      const table = element("table"), head = table.createTHead().insertRow(), body = table.createTBody();
      head.append(element("td"), ...this.schedules.map((schedule) => {
        const cell = element("th", schedule.name);
        cell.scope = "col";
        return cell;
      }));
      const row = (title, value) => {
        const line = body.insertRow(), first = element("th", title);
        first.scope = "row";
        line.append(first, ...this.schedules.map((schedule) => element("td",
          isNaN(schedule.start[job]) ? "did not run" : value(schedule))));
      };
      row("waited", (schedule) => spoken(schedule.start[job] - jobs.submit[job]));
      row("started", (schedule) => dated(schedule.start[job], data.origin, MINUTE));
      row("run time predicted", (schedule) => {
        const estimate = schedule.columns.estimate[job] || walltime;  // 0 stands for the walltime
        return estimate < 0 ? "-" : spoken(estimate * jobs.unit);
      });
      row("overtaken by", (schedule) => {
        const found = this.overtakers(schedule, job);
        const names = found.slice(0, MOST_NAMED).map((one) => this.name(one)).join("\n");
        const more = found.length > MOST_NAMED ? `\nand ${found.length - MOST_NAMED} more` : "";
        return found.length ? `${counted(found.length, "job")}:\n${names}${more}` : "none";
      });
      const wide = element("div", undefined, "wide");
      wide.append(table);
      this.told.append(wide);
      const why = this.block.querySelector(`[data-why="${jobs.number[job]}"]`);
      if (why) this.told.append(...[...why.children].slice(1).map((child) => child.cloneNode(true)));
    }

    // the visible part

    look(view) {
      const all = this.all, shortest = Math.min(10 * this.jobs.unit, all.to), fewest = Math.min(4, all.high);
      const wide = Math.min(all.to, Math.max(shortest, view.to - view.from));
      const high = Math.min(all.high, Math.max(fewest, view.high - view.low));
      const from = Math.min(Math.max(0, view.from), all.to - wide), low = Math.min(Math.max(0, view.low), all.high - high);
      this.view = { from, to: from + wide, low, high: low + high };
      this.redraw();
    }

    zoom(factor, at = .5) {
      const { from, to } = this.view, date = from + at * (to - from), wide = (to - from) / factor;
      this.look({ ...this.view, from: date - at * wide, to: date + (1 - at) * wide });
    }

    heighten(factor, at = .5) {
      const { low, high } = this.view, place = low + at * (high - low), size = (high - low) / factor;
      this.look({ ...this.view, low: place - at * size, high: place + (1 - at) * size });
    }

    pan(share) {
      const { from, to } = this.view, by = share * (to - from);
      this.look({ ...this.view, from: from + by, to: to + by });
    }

    shift(share) {
      const { low, high } = this.view, by = share * (high - low);
      this.look({ ...this.view, low: low + by, high: high + by });
    }

    pick(job, found) {
      this.picked = job;
      if (job < 0) this.told.replaceChildren(element("p", "No job is selected."));
      else this.tell(job);
      if (job >= 0 && found) {
        const dates = [this.jobs.submit[job]];
        for (const schedule of this.schedules) {
          if (!isNaN(schedule.start[job])) dates.push(schedule.start[job], schedule.end[job]);
        }
        const from = Math.min(...dates), wide = Math.max(HOUR, Math.max(...dates) - from);
        this.look({ ...this.all, from: from - .1 * wide, to: from + 1.1 * wide });
      } else this.redraw();
    }

    // Selects the job that starts next in the schedule of the chart in use; before for step -1.
    next(step, chart) {
      const schedule = this.schedules[chart], byStart = schedule.byStart;
      const starts = (place) => schedule.start[byStart[place]];
      let place;
      if (this.picked >= 0 && !isNaN(schedule.start[this.picked])) place = byStart.indexOf(this.picked) + step;
      else {
        place = 0;
        while (place < byStart.length && starts(place) < this.view.from) place += 1;
      }
      if (place < 0 || place >= byStart.length) return;
      this.pick(byStart[place], false);
      const date = starts(place), wide = this.view.to - this.view.from;
      if (date < this.view.from || date > this.view.to) this.look({ ...this.view, from: date - wide / 4, to: date + 3 * wide / 4 });
    }

    nextListed(step) {
      if (!this.listed.length) return;
      const place = this.listed.indexOf(this.picked);
      const next = place < 0 ? (step > 0 ? 0 : this.listed.length - 1) : (place + step + this.listed.length) % this.listed.length;
      this.pick(this.listed[next], true);
    }

    // drawing of the charts

    redraw() {
      if (!this.waits) this.waits = requestAnimationFrame(() => { this.waits = 0; this.draw(); });
    }

    resize() {
      const scale = Math.min(2, window.devicePixelRatio || 1);
      for (const canvas of this.canvases) {
        const box = this.box = canvas.parentElement.getBoundingClientRect();
        canvas.width = Math.max(1, Math.round(box.width * scale));
        canvas.height = Math.max(1, Math.round(box.height * scale));
      }
      this.redraw();
    }

    draw() {
      const began = performance.now();
      if (!this.colours) {
        const style = getComputedStyle(this.block);
        this.colours = CLASSES.map((name) => style.getPropertyValue(`--bar-${name}`).trim());
        this.parts = this.colours.map((colour) => [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16)));
        this.fillings = this.contexts.map((context) => fillings(context, this.colours));
      }
      // both charts are drawn in the same way, so that only the schedules differ
      const inView = this.schedules.map((schedule) => barsInView(schedule.bars, this.view));
      const most = Math.max(...inView), dense = most > FEW, many = inView.reduce((sum, one) => sum + one, 0);
      this.schedules.forEach(({ bars }, chart) => {
        const context = this.contexts[chart], { width, height } = this.canvases[chart];
        if (dense) drawDensity(context, bars, this.view, width, height, this.parts, this.rooms[chart]);
        else drawBars(context, bars, this.view, width, height, most > HATCHED ? this.colours : this.fillings[chart]);
        this.mark(chart);
      });
      this.drawAxis();
      const ends = [Math.floor(this.view.low), Math.ceil(this.view.high) - 1].map((one) => one.toLocaleString("en"));
      for (const scale of this.block.querySelectorAll(".whose span")) {
        scale.textContent = `: processors ${ends[0]} (top) to ${ends[1]} (bottom)`;
      }
      const detail = { milliseconds: performance.now() - began, bars: many, dense, view: { ...this.view } };
      this.block.dispatchEvent(new CustomEvent("drawn", { detail }));
    }

    drawAxis() {
      const { from, to } = this.view, box = this.box;
      const most = Math.max(2, Math.floor(box.width / 130));
      const step = STEPS.find((one) => (to - from) / one <= most) || STEPS[STEPS.length - 1];
      const shift = this.data.origin === null ? 0 : this.data.origin % DAY;
      const labels = [];
      for (let date = Math.ceil((from + shift) / step) * step - shift; date < to; date += step) {
        const left = (date - from) / (to - from) * box.width;
        const label = element("span", dated(date, this.data.origin, step));
        label.style.left = `${left}px`;
        if (left > box.width - 100) label.className = "last";
        labels.push(label);
      }
      this.axis.replaceChildren(...labels);
    }

    // Draws the selected job, its submission, and the cursor.
    mark(chart) {
      const marks = this.plots[chart].querySelector(".marks"), job = this.picked;
      if (job < 0 && !marks.firstChild) return;
      const { from, to, low, high } = this.view, box = this.box;
      const x = (date) => (date - from) / (to - from) * box.width, y = (place) => (place - low) / (high - low) * box.height;
      const made = [];
      const add = (classes, left, wide, top, tall) => {
        const mark = element("div", undefined, classes);
        mark.style.left = `${left}px`; mark.style.width = `${wide}px`;
        if (top !== undefined) { mark.style.top = `${top}px`; mark.style.height = `${tall}px`; }
        made.push(mark);
      };
      const schedule = this.schedules[chart];
      if (job >= 0 && !isNaN(schedule.start[job])) {
        const submitted = x(this.jobs.submit[job]), start = x(schedule.start[job]);
        add("waiting", submitted, Math.max(1, start - submitted));
        const bars = schedule.bars;
        for (const group of bars.groups) {
          if (group.kind !== this.kinds[job]) continue;
          const first = firstFrom(bars.start, schedule.start[job], group.first, group.after);
          for (let i = first; i < group.after && bars.start[i] === schedule.start[job]; i++) {
            if (bars.job[i] !== job) continue;
            const wide = Math.max(4, x(bars.end[i]) - start), tall = Math.max(4, y(bars.high[i]) - y(bars.low[i]));
            add("picked", start - 1, wide + 1, y(bars.low[i]) - 1, tall + 1);
          }
        }
      }
      marks.replaceChildren(...made);
    }

    cursor(share) {
      for (const plot of this.plots) {
        const line = plot.querySelector(".cursor");
        line.hidden = share === null;
        if (share !== null) line.style.left = `${100 * share}%`;
      }
    }

    // Shows the processors in use and the waiting jobs at a date, for both schedules.
    tellDate(date, more) {
      if (!this.counters) {
        const sizes = this.jobs.processors;
        const unit = this.jobs.unit, submitted = makeCounter(this.jobs.submit, null, unit);
        this.counters = this.schedules.map((schedule) => {
          const started = makeCounter(schedule.start, null, unit);
          const taken = makeCounter(schedule.start, sizes, unit), freed = makeCounter(schedule.end, sizes, unit);
          const never = schedule.start.reduce((sum, value) => sum + isNaN(value), 0);
          return (at) => `${schedule.name}: ${(taken(at) - freed(at)).toLocaleString("en")} of ` +
            `${counted(this.data.processors, "processor")} in use` +
            (never ? "" : `, ${counted(submitted(at) - started(at), "job")} waiting`);
        });
      }
      const lines = [`${dated(date, this.data.origin, MINUTE)}`, ...this.counters.map((tells) => tells(date)), more || ""];
      this.at.replaceChildren(...lines.map((line) => element("span", line)));
    }

    jobAt(chart, x, y, box) {
      const { from, to, low, high } = this.view;
      const wide = (to - from) / box.width, date = from + x * wide, place = low + y / box.height * (high - low);
      const bars = this.schedules[chart].bars;
      let best = -1, nearest = 3 * wide;
      for (const group of bars.groups) {
        const first = firstFrom(bars.start, date - group.longest - 3 * wide, group.first, group.after);
        const after = firstFrom(bars.start, date + 3 * wide, first, group.after);
        for (let i = first; i < after; i++) {
          if (place < bars.low[i] || place >= bars.high[i]) continue;
          const off = Math.max(bars.start[i] - date, date - bars.end[i], 0);
          if (off < nearest) { nearest = off; best = bars.job[i]; if (off === 0) return best; }
        }
      }
      return best;
    }

    // mouse, keys and touch

    listen() {
      const does = {
        in: () => this.zoom(2), out: () => this.zoom(.5), all: () => this.look(this.all),
        left: () => this.pan(-.25), right: () => this.pan(.25),
        up: () => this.shift(-.25), down: () => this.shift(.25),
        taller: () => this.heighten(2), lower: () => this.heighten(.5),
        next: () => this.nextListed(1), previous: () => this.nextListed(-1),
      };
      const keys = { "+": "in", "=": "in", "-": "out", "0": "all", ArrowLeft: "left", ArrowRight: "right",
        ArrowUp: "up", ArrowDown: "down", PageUp: "taller", PageDown: "lower", n: "next", p: "previous" };
      for (const button of this.block.querySelectorAll("button[data-do]")) {
        button.addEventListener("click", () => does[button.dataset.do]());
      }
      this.canvases.forEach((canvas, chart) => {
        canvas.addEventListener("keydown", (event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (event.key === "." || event.key === ",") this.next(event.key === "." ? 1 : -1, chart);
          else if (event.key === "Escape") this.pick(-1);
          else if (keys[event.key]) does[keys[event.key]]();
          else return;
          event.preventDefault();
        });
        canvas.addEventListener("pointerdown", (event) => this.press(event, chart));
        canvas.addEventListener("pointermove", (event) => this.move(event, chart));
        for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.release(event, chart));
        canvas.addEventListener("pointerleave", () => { this.cursor(null); });
        canvas.addEventListener("dblclick", (event) => this.zoom(2, event.offsetX / canvas.clientWidth));
        canvas.addEventListener("wheel", (event) => {
          // the wheel scrolls the page until the user clicks on a chart
          if (!event.ctrlKey && !this.canvases.includes(document.activeElement)) return;
          event.preventDefault();
          const turn = (event.deltaY || event.deltaX) * (event.deltaMode === 1 ? 20 : 1);
          if (event.shiftKey) this.heighten(Math.exp(-turn / 300), event.offsetY / canvas.clientHeight);
          else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan(event.deltaX / canvas.clientWidth);
          else this.zoom(Math.exp(-turn / 300), event.offsetX / canvas.clientWidth);
        }, { passive: false });
      });
      this.block.querySelector("form").addEventListener("submit", (event) => {
        event.preventDefault();
        const input = event.target.elements.job, wanted = input.value.trim();
        const job = this.jobs.names ? this.jobs.names.indexOf(wanted) : -1;
        const found = job >= 0 ? job : this.place.get(Number(wanted.replace(/,/g, "")));
        if (found === undefined || wanted === "") this.told.replaceChildren(element("p", `No job ${wanted} is drawn.`));
        else this.pick(found, true);
      });
      for (const row of this.block.querySelectorAll("tr[data-job]")) {
        const job = this.place.get(Number(row.dataset.job)), cell = row.cells[0];
        if (job === undefined) continue;
        this.listed.push(job);
        const button = element("button", cell.textContent);
        button.type = "button";
        button.addEventListener("click", () => { this.pick(job, true); this.block.querySelector(".charts").scrollIntoView({ block: "nearest" }); });
        cell.replaceChildren(button);
      }
      new ResizeObserver(() => this.resize()).observe(this.plots[0]);
      window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        this.colours = null;
        this.redraw();
      });
    }

    press(event, chart) {
      const canvas = this.canvases[chart];
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      if (this.pointers.size === 1) this.pressed = { x: event.offsetX, y: event.offsetY };
      else this.pressed = null;
    }

    move(event, chart) {
      const box = this.canvases[chart].getBoundingClientRect(), { from, to, low, high } = this.view;
      const now = { x: event.offsetX, y: event.offsetY }, before = this.pointers.get(event.pointerId);
      const share = now.x / box.width;
      if (!before) {
        this.cursor(share);
        const job = this.jobAt(chart, now.x, now.y, box);
        this.tellDate(from + share * (to - from), job < 0 ? "" : this.inShort(this.schedules[chart], job));
        return;
      }
      if (this.pressed && Math.hypot(now.x - this.pressed.x, now.y - this.pressed.y) > 4) this.pressed = null;
      if (this.pointers.size === 1) {
        if (this.pressed) return;
        const date = (now.x - before.x) / box.width * (to - from), place = (now.y - before.y) / box.height * (high - low);
        this.look({ from: from - date, to: to - date, low: low - place, high: high - place });
      } else {
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
        const apart = Math.abs(before.x - other.x), nowApart = Math.abs(now.x - other.x);
        if (apart > 5 && nowApart > 5) this.zoom(nowApart / apart, (now.x + other.x) / 2 / box.width);
      }
      this.pointers.set(event.pointerId, now);
    }

    release(event, chart) {
      this.pointers.delete(event.pointerId);
      if (event.type === "pointerup" && this.pressed) {
        const box = this.canvases[chart].getBoundingClientRect();
        this.pick(this.jobAt(chart, event.offsetX, event.offsetY, box), false);
      }
      this.pressed = null;
    }
  }

  async function begin(block) {
    const data = JSON.parse(block.querySelector("script").textContent);
    performance.mark("schedules: begin");
    const jobs = await readJobs(data);
    const schedules = await Promise.all(data.schedules.map((told) => readSchedule(told, jobs)));
    block.charts = new Charts(block, data, jobs, schedules);  // for inspection in the browser's console
    performance.mark("schedules: read");
    block.addEventListener("drawn", () => {
      performance.mark("schedules: drawn");
      block.dataset.ready = "true";
    }, { once: true });
  }

  const blocks = document.querySelectorAll(".schedules");
  try {
    new DecompressionStream("deflate-raw");
  } catch (error) {
    return;  // the browser is too old: the page already shows a message
  }
  for (const block of blocks) begin(block);
}());

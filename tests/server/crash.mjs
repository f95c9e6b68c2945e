// kill -9 at random moments while games are played, analysed and saved and an experiment runs: nothing acknowledged may be lost,
// every room must go on, and so must the run.
//   CRASHES=200 CRASH_LOG=crashes.txt node tests/server/crash.mjs
// Every kill is a line of the log, with the moment and what was found after it. A run that was stopped goes on where the log
// ends: those lines count, and only the rest is done.
import fs from 'node:fs';
import { Client, LEVEL, ok, run, scratch, sleep, startServer } from './client.mjs';

const TIMES = Number(process.env.CRASHES || (LEVEL === 'long' ? 200 : LEVEL === 'quick' ? 4 : 12));
const ROOMS = 8;
const LOG = process.env.CRASH_LOG;
const data = scratch();

// What earlier runs have found, from their log.
function earlier() {
  const sum = { kills: 0, acknowledged: 0, lost: 0, stuck: 0 };
  const lines = LOG && fs.existsSync(LOG) ? fs.readFileSync(LOG, 'utf8').split('\n') : [];
  for (const line of lines) {
    const found = /^kill \d+ after \d+ ms: (\d+) acknowledged, (\d+) lost, (\d+) stuck$/.exec(line);
    if (!found) continue;
    sum.kills++;
    ['acknowledged', 'lost', 'stuck'].forEach((name, i) => (sum[name] += Number(found[i + 1])));
  }
  return sum;
}

// Plays random legal moves for both sides as fast as they are acknowledged; forgets nothing that was.
async function playOn(client, game) {
  const { room } = game;
  while (!client.closed) {
    const r = client.rooms.get(room);
    if (r.state === 'over') {
      if (!(await client.ask({ do: 'rematch', room, swap: false })).ok) return;
      game.moves = [];
      game.games++;
      continue;
    }
    const moves = Object.entries(r.position.moves).flatMap(([from, to]) => to.map((t) => from + t.slice(0, 3)));
    const uci = moves[Math.floor(Math.random() * moves.length)];
    const answer = await client.ask({ do: 'move', room, ply: r.position.ply, uci });
    if (answer.error?.code === 'too-fast') { await sleep(300); continue; }
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    game.acknowledged++;
    game.moves.push(client.rooms.get(room).nodes.get(answer.node).uci); // the event comes before the answer
    await sleep(2 + Math.random() * 10);
  }
}

// Writes comments into a study that the engine analyses, and saves it, as fast as that is acknowledged.
async function studyOn(client, study) {
  await client.ask({ do: 'analyse', room: study.room, node: 0 });
  while (!client.closed) {
    const count = study.comment + 1;
    if ((await client.ask({ do: 'annotate', room: study.room, node: 0, comment: `comment ${count}` })).ok) study.comment = count;
    if (count % 4 === 0 && (await client.ask({ do: 'save', room: study.room, name: `study ${count}` })).ok) study.saved.push(`study ${count}`);
    await sleep(5 + Math.random() * 20);
  }
}

// Is all of a study there that was acknowledged? (The last comment may have been written without an answer.)
async function studyIsThere(client, study) {
  const joined = await client.ask({ do: 'join', keys: study.keys });
  const comment = joined.ok ? Number(client.rooms.get(study.room).nodes.get(0).comment.split(' ')[1]) : -1;
  const names = [];
  for (let from = 0, total = 1; from < total; from += 200) {
    const page = await client.ask({ do: 'library', from, count: 200 });
    total = page.total;
    names.push(...page.games.map((g) => g.name));
  }
  const ok = (comment === study.comment || comment === study.comment + 1) && study.saved.every((name) => names.includes(name));
  if (!ok) console.log(`# study: ${comment} of ${study.comment}, ${names.length} of ${study.saved.length} saved`);
  study.comment = comment;
  return ok;
}

// After a restart a run is there, is no less done than after the last one, and goes on.
async function goOn(client, lab) {
  const { run: shown } = await client.ask({ do: 'look', run: lab.run });
  const isGood = shown && (shown.share ?? 0) >= lab.share && ['interrupted', 'done', 'running', 'waiting'].includes(shown.state);
  if (!isGood) console.log(`# run: ${JSON.stringify({ ...shown, tables: undefined })}, was ${lab.share}`);
  lab.share = Math.max(shown?.share ?? 0, lab.share);
  if (shown?.state === 'interrupted') await client.ask({ do: 'continue', run: lab.run });
  return isGood;
}

function movesOf(room) {
  const list = [];
  for (let id = room.live; id; id = room.nodes.get(id).parent) list.unshift(room.nodes.get(id).uci);
  return list;
}

await run({
  async crashes() {
    let server = await startServer({ data });
    const port = server.port;
    const games = [];
    for (let i = 0; i < ROOMS; i++) {
      const client = await Client.open(server);
      const made = await client.ask({ do: 'create', variant: i % 2 ? 'chess960' : 'chess' });
      games.push({ client, room: made.room, keys: [made.keys.white, made.keys.black], moves: [], games: 0, acknowledged: 0 });
    }
    const scholar = await Client.open(server);
    const made = await scholar.ask({ do: 'create', mode: 'analysis' });
    const study = { client: scholar, room: made.room, keys: [made.keys.white], comment: 0, saved: [] };
    await scholar.ask({ do: 'annotate', room: made.room, node: 0, comment: 'comment 0' });
    const begun = await scholar.ask({ do: 'run', experiment: 'match', choices: { games: 400, first: { kind: 'search', nodes: 300 }, second: { kind: 'search', nodes: 200 } } });
    const lab = { run: begun.run, share: 0 };
    let { lost, acknowledged, kills, stuck } = earlier();
    let studiesLost = 0, runsLost = 0;
    for (; kills < TIMES; kills++) {
      const before = { lost, acknowledged, stuck };
      const players = games.map((g) => playOn(g.client, g).catch((e) => { if (e.message !== 'closed') throw e; }));
      players.push(studyOn(study.client, study).catch((e) => { if (e.message !== 'closed') throw e; }));
      const moment = Math.random() * (kills % 10 === 5 ? 4000 : 250); // now and then a run has time to find something
      await sleep(moment);
      await server.kill();
      await Promise.all(players);
      server = await startServer({ data });
      acknowledged += games.reduce((sum, game) => sum + game.acknowledged, 0);
      for (const game of games) {
        game.acknowledged = 0;
        const client = (game.client = await Client.open(server));
        const joined = await client.ask({ do: 'join', keys: game.keys });
        if (!joined.ok) { stuck++; continue; }
        const there = movesOf(client.rooms.get(game.room)), known = game.moves;
        // The move under way, or a rematch, may have been written or not; what was acknowledged must be there.
        const same = (n) => known.slice(0, n).every((m, i) => there[i] === m);
        const isRestarted = there.length === 0 && client.rooms.get(game.room).match.results.length > game.games;
        if (!isRestarted && (there.length < known.length || there.length > known.length + 1 || !same(known.length))) { lost++; console.log(`# ${known.join(' ')} / ${there.join(' ')}`); }
        if (isRestarted) game.games = client.rooms.get(game.room).match.results.length;
        game.moves = there;
      }
      study.client = await Client.open(server);
      if (!(await studyIsThere(study.client, study))) studiesLost++;
      if (!(await goOn(study.client, lab))) runsLost++;
      if (LOG) fs.appendFileSync(LOG, `kill ${kills + 1} after ${Math.round(moment)} ms: ${acknowledged - before.acknowledged} acknowledged, ${lost - before.lost} lost, ${stuck - before.stuck} stuck\n`);
      if ((kills + 1) % 20 === 0 && kills + 1 < TIMES) console.log(`# ${kills + 1} of ${TIMES}`);
    }
    ok(lost === 0, `${kills} times kill -9 during play: no acknowledged move lost (of ${acknowledged})`, `${lost} rooms lost moves`);
    ok(stuck === 0, 'every room is there');
    ok(studiesLost === 0 && study.comment > 0, `nor one of ${study.comment} comments and ${study.saved.length} saved games`);
    ok(begun.ok && runsLost === 0, `the run of the laboratory is there and went on (${Math.round(lab.share * 100)} % done)`);
    let moved = 0;
    for (const game of games) {
      const { client } = game;
      const r = client.rooms.get(game.room);
      const [from, to] = Object.entries(r.position.moves)[0] ?? [];
      if (r.state === 'over' || (await client.ask({ do: 'move', room: game.room, ply: r.position.ply, uci: from + to[0].slice(0, 3) })).ok) moved++;
    }
    ok(moved === ROOMS && port > 0, 'every room goes on');
    ok(!/Sanitizer|runtime error/.test(server.log), 'no fault in the log', server.log);
    await server.kill('SIGTERM');
  },
});

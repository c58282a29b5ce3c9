package dev.pawl.internal.quota;

import dev.pawl.internal.store.LimitSource;
import dev.pawl.limit.Subject;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What one limit allows this worker. Until it has been dealt something nothing passes, and nothing passes when that is
 * over. Not thread-safe: guarded by {@link LocalLimits}.
 */
final class LocalLimit {
    /** How far ahead jobs are claimed for starts that have not been dealt yet. */
    private static final long NEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long ACTIVE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long EAGER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long SHUT_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** So long it has to find jobs for its share, before it gives it to others. */
    private static final long CHANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** How often a worker without a place looks whether there are jobs that only it can run, although others want all places. */
    private static final long PROBE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long SHARE_NANOS = LimitSource.SHARE.toNanos();

    private final Subject subject;
    private boolean known;
    private boolean limited = true;
    private int running;
    private int waiting;
    /** Of those that wait and cost more than one start, how many there are of each cost. */
    private final NavigableMap<Integer, Integer> costs = new TreeMap<>();

    private long waitingStarts;
    /** When no more than so many wait, it is time to claim more. */
    private int low;
    /** Whether that was said since its room was looked at. */
    private boolean saidLow;

    private boolean used;

    private boolean counted;
    /** As the database has it. */
    private int share;
    /** What this worker runs at most: its share, or less as soon as it has decided to give some back. */
    private int cap;

    private long shareEndNanos;
    /** Since when it has been zero, or more than that. */
    private long capSinceNanos;

    private boolean wantsMore;
    /** Whether it could run more when it asked last. */
    private boolean canUse = true;
    /** How many more the others would use. */
    private int wanted;

    private long probedNanos;
    /** When the last job entered or ended, or the first one began to wait. */
    private long movedNanos;

    private long wantedNanos;

    private boolean rated;
    private int mostStarts = Integer.MAX_VALUE;
    private int starts;
    private long startsEndNanos;
    private long nextStartNanos;
    private long startsGoodForNanos;
    private double startsASecond;

    private boolean held;
    private long heldUntilNanos;
    private boolean trying;

    private boolean eager = true;
    private boolean worksAgain;
    private long requestedNanos;

    LocalLimit(Subject subject, long now) {
        this.subject = subject;
        this.requestedNanos = now - IDLE_NANOS;
        this.capSinceNanos = now;
        this.probedNanos = now - PROBE_NANOS;
        this.movedNanos = now;
        this.wantedNanos = now;
    }

    /** Of a key that has a rate, which is asked for only while jobs wait. */
    static LocalLimit ofKey(Subject subject, long now) {
        LocalLimit localLimit = new LocalLimit(subject, now);
        localLimit.rated = true;
        return localLimit;
    }

    /** {@return how long until it should ask, if it is the quota of a key} */
    long untilRequestOfKey(long now) {
        return waiting > 0 ? untilRequest(now) : Long.MAX_VALUE;
    }

    /** A job is about to wait here. */
    void wantedAgain(long now) {
        wantedNanos = now;
    }

    /** {@return whether nothing has waited or entered for so long} */
    boolean isUnusedFor(long nanos, long now) {
        return waiting == 0 && now - movedNanos > nanos && now - wantedNanos > nanos;
    }

    /** {@return how long until there are starts, if there are none and it takes a while; else 0} */
    long untilStarts(long now) {
        boolean far = rated && known && limited && liveStarts(now) == 0 && nextStartNanos - now > SHUT_NANOS;
        return far ? nextStartNanos - now : 0;
    }

    Subject subject() {
        return subject;
    }

    boolean isLimited() {
        return limited;
    }

    /** {@return how many jobs of that cost could start now} */
    int free(int cost, long now) {
        if (!limited) {
            return Integer.MAX_VALUE;
        }
        if (!known || isHeld(now)) {
            return 0;
        }
        int free = Integer.MAX_VALUE;
        if (counted) {
            free = now - shareEndNanos >= 0 ? 0 : Math.max(0, cap - running);
        }
        if (rated) {
            free = Math.min(free, liveStarts(now) / starts(cost));
        }
        return free;
    }

    /** {@return how many jobs of that cost could start now, or as soon as the next starts are dealt, if that is near} */
    int near(int cost, long now) {
        int free = free(cost, now);
        if (free > 0 || !limited || !known || isHeld(now) || !rated || nextStartNanos - now > NEAR_NANOS) {
            return free;
        }
        int places = counted ? (now - shareEndNanos >= 0 ? 0 : Math.max(0, cap - running)) : Integer.MAX_VALUE;
        return (int) Math.min(places, Math.max(1, startsASecond * NEAR_NANOS / 1e9 / starts(cost)));
    }

    /** {@return whether any of those that wait costs more than one start} */
    boolean anyCostly() {
        return !costs.isEmpty();
    }

    /** {@return the largest cost of those that wait, if it needs several starts, and they are here} */
    int maxCost(long now) {
        return rated && !costs.isEmpty() && liveStarts(now) >= largest() ? costs.lastKey() : 1;
    }

    private boolean isHeld(long now) {
        return held && now - heldUntilNanos < 0;
    }

    /** {@return until when it must have started} One that enters waits no more. */
    long acquire(int cost, long now) {
        running++;
        waiting--;
        waitingStarts -= cost;
        costs(cost, -1);
        movedNanos = now;
        used = true;
        if (limited && rated) {
            starts -= starts(cost);
            return startsEndNanos;
        }
        return Limiter.ANY_TIME;
    }

    /** {@return whether more jobs should be claimed, because there may be some, and few are waiting; once for each look at its room} */
    boolean release(long now) {
        running--;
        movedNanos = now;
        boolean news = wantsMore && waiting <= low && !saidLow;
        saidLow |= news;
        return news;
    }

    void waiting(int cost, int jobs, long now) {
        if (waiting == 0) {
            movedNanos = now;
        }
        waiting += jobs;
        waitingStarts += (long) cost * jobs;
        costs(cost, jobs);
    }

    private void costs(int cost, int jobs) {
        if (cost > 1) {
            costs.merge(cost, jobs, (one, more) -> one + more == 0 ? null : one + more);
        }
    }

    /** {@return what a job of that cost takes here} */
    private int starts(int cost) {
        return Math.min(cost, mostStarts);
    }

    /** {@return what the most expensive job that waits takes} */
    private int largest() {
        return costs.isEmpty() ? 1 : starts(costs.lastKey());
    }

    /** {@return whether it is to ask for starts at their next turn, because jobs wait for them} */
    boolean isShortOfStarts(long now) {
        return rated && waiting > 0 && liveStarts(now) < largest();
    }

    private int liveStarts(long now) {
        return now - startsEndNanos >= 0 ? 0 : starts;
    }

    /**
     * How many jobs to claim.
     *
     * @param ahead how many jobs all handlers of the worker get through in a moment
     * @param handlers how many it has
     * @return at most so many more
     */
    int room(int ahead, int handlers, long now) {
        saidLow = false;
        if (!limited) {
            return Integer.MAX_VALUE;
        }
        if (!known || isHeld(now)) {
            return 0;
        }
        long room = Integer.MAX_VALUE;
        if (counted) {
            cap = Math.min(cap, handlers); // it may have fewer than when it was dealt
            long soon = (long) ahead * Math.min(cap, handlers) / handlers;
            room = now - shareEndNanos >= 0 ? 0 : cap - running + soon;
        }
        if (rated) {
            boolean none = liveStarts(now) == 0 && nextStartNanos - now > NEAR_NANOS;
            long near = Math.max(1, (long) (startsASecond * NEAR_NANOS / 1e9));
            room = Math.min(room, none ? 0 : liveStarts(now) + near);
        }
        if (room == Integer.MAX_VALUE) {
            return Integer.MAX_VALUE;
        }
        low = (int) (room / 2);
        return waiting > low ? 0 : (int) Math.max(0, room - waiting); // not one by one
    }

    /** {@return how many of those that wait may start in the next moment} */
    int soon(long now) {
        if (!limited) {
            return Integer.MAX_VALUE;
        }
        if (!known || isHeld(now) || (counted && cap == 0)) {
            return 0;
        }
        return rated ? free(1, now) : Integer.MAX_VALUE;
    }

    /**
     * A claim for as many as there was room for got so many: if that is all, there may be more jobs.
     *
     * @return whether it should ask for more at once
     */
    boolean claimed(boolean all) {
        used = true;
        boolean news = counted && all && !wantsMore;
        eager |= news;
        wantsMore = all;
        return news;
    }

    /** {@return whether jobs that wait need starts to be asked for} */
    boolean isRated() {
        return rated || !known;
    }

    /** {@return how long until it should ask} */
    long untilRequest(long now) {
        if (isShortOfStarts(now)) {
            long turn = Math.max(nextStartNanos - now, requestedNanos + startsGoodForNanos / 4 - now);
            return Math.max(0, Math.min(turn, requestedNanos + ACTIVE_NANOS - now));
        }
        boolean hasIdlePlaces = wanted > 0 && cap > running && !wantsMore;
        long every = eager || worksAgain || givesBack()
                ? EAGER_NANOS
                : hasIdlePlaces ? CHANCE_NANOS : used || running > 0 || waiting > 0 || held ? ACTIVE_NANOS : IDLE_NANOS;
        long next = requestedNanos + every - now;
        if (held) { // what is held back is looked at as soon as it may go on
            next = Math.min(next, Math.max(heldUntilNanos + 1, requestedNanos + EAGER_NANOS) - now);
        }
        return Math.max(0, next);
    }

    /** The worker runs more or fewer at once now: what it can no longer use it gives back. */
    void scaled(int handlers) {
        if (running >= cap && handlers > cap) {
            wantsMore = true; // there may be more jobs than it has claimed for the places it had; the next claim tells
        }
        cap = Math.min(cap, handlers);
        eager = true;
    }

    /** {@return whether it has decided to give some of its share back, and can} */
    boolean givesBack() {
        return Math.max(cap, running) < share;
    }

    /**
     * @param handlers how many the worker has
     * @param mayRunMore whether it has had an idle one lately, and claims at all
     * @return what to ask for
     */
    LimitSource.Request request(int handlers, boolean mayRunMore, long now) {
        requestedNanos = now;
        eager = false;
        used = false;
        int least = Math.max(1, running);
        canUse = mayRunMore;
        boolean asksForMore = mayRunMore && (wantsMore || (cap <= running && waiting > 0));
        boolean probes = cap == 0 && mayRunMore && now - probedNanos >= PROBE_NANOS;
        if (probes) {
            probedNanos = now;
        }
        int wanted =
                cap < share ? Math.max(cap, running) : asksForMore ? Math.max(handlers, least) : Math.max(cap, least);
        return new LimitSource.Request(
                subject,
                wanted,
                asksForMore || probes,
                rated && mayRunMore ? startsWanted(now) : 0, // what no handler is there for would be over unused
                rated && liveStarts(now) < largest() ? largest() : 1);
    }

    /** Those that it has are not enough for a job that costs more, and will be over when there are more. */
    private int startsWanted(long now) {
        long sum = waitingStarts;
        for (Map.Entry<Integer, Integer> each :
                costs.tailMap(mostStarts, false).entrySet()) {
            sum -= (long) (each.getKey() - mostStarts) * each.getValue(); // it takes the whole rate, and no more
        }
        long least = waiting > 0 && liveStarts(now) < largest() ? largest() : 0;
        return (int) Math.min(Integer.MAX_VALUE, Math.max(least, sum - liveStarts(now)));
    }

    /**
     * @param handlers how many of its jobs the worker can run at once
     * @return whether more may pass than before
     */
    boolean allocated(LimitSource.Allocation allocated, int handlers, long sent, long now) {
        int before = free(1, now);
        int had = liveStarts(now);
        boolean was = known;
        known = true;
        limited = allocated.limited();
        trying = allocated.trying();
        held = !allocated.held().isZero();
        heldUntilNanos = sent + allocated.held().toNanos();
        counted = allocated.places() != null;
        if (allocated.places() != null) {
            places(allocated.places(), handlers, sent, now);
        } else {
            share = 0;
            cap = 0;
        }
        rated = allocated.starts() != null;
        if (allocated.starts() != null) {
            starts(allocated.starts(), sent, now);
        }
        return !was || free(1, now) > before || (rated && liveStarts(now) > had);
    }

    /** Those that it still has must be used as soon as before. */
    private void starts(LimitSource.Starts allocated, long sent, long now) {
        startsGoodForNanos = allocated.goodFor().toNanos();
        long end = sent + startsGoodForNanos;
        if (starts == 0 || now - startsEndNanos >= 0) {
            starts = 0;
            startsEndNanos = end;
        }
        starts += allocated.now();
        nextStartNanos = now + allocated.next().toNanos();
        startsASecond = allocated.aSecond();
        mostStarts = allocated.most();
    }

    /** What is to be given back is not used any more from now on, and given back with the next ask. */
    private void places(LimitSource.Permits places, int handlers, long sent, long now) {
        share = places.share();
        shareEndNanos = sent + SHARE_NANOS;
        int down = Math.min(Math.min(share, places.fair()), handlers);
        wanted = places.wanted();
        boolean uses = (wantsMore && canUse) || hasJobsForIt(now);
        if (wanted > 0 && !uses && cap > 0 && now - capSinceNanos > CHANCE_NANOS) {
            down = Math.min(down, share - places.wanted());
        }
        if (places.wanted() > 0 && share == 1 && now - capSinceNanos > TURN_NANOS) {
            down = 0; // fewer places than workers: they take turns
        }
        int next = Math.max(0, down);
        if ((cap == 0) != (next == 0)) {
            capSinceNanos = now;
        }
        cap = next;
    }

    /** {@return whether jobs wait here for this share, and not for something else that keeps them} */
    private boolean hasJobsForIt(long now) {
        return waiting > 0 && (running >= cap || now - movedNanos <= CHANCE_NANOS);
    }

    /** {@return whether nothing will pass for some time} */
    boolean isExhausted(long now) {
        if (!limited) {
            return false;
        }
        boolean waitsForTheEnd = held && heldUntilNanos - now > SHUT_NANOS;
        boolean hasNoPlace = counted && cap == 0 && now - capSinceNanos > SHUT_NANOS;
        boolean hasNoStart = rated && liveStarts(now) == 0 && nextStartNanos - now > SHUT_NANOS;
        boolean isStuck = waiting > 0 && free(largest(), now) == 0 && now - movedNanos > SHUT_NANOS;
        return waitsForTheEnd || hasNoPlace || hasNoStart || isStuck;
    }

    /** What its jobs need is not available. */
    void unavailable(long until) {
        held = true;
        known = true;
        limited = true;
        heldUntilNanos = until;
        trying = true;
    }

    boolean isTrying() {
        return trying;
    }

    /** {@return whether it is news that what its jobs need is available} */
    boolean worksAgain(long now) {
        if (!trying || isHeld(now) || worksAgain) {
            return false;
        }
        worksAgain = true;
        return true;
    }

    /** It could not be told; unless it has been held back since, it is told again. */
    void worksAgainNotReported(long now) {
        worksAgain |= !isHeld(now);
    }

    /** {@return whether nothing waits to be told or handed back, and it was asked for since that moment} */
    boolean isSettledSince(long nanos) {
        return !worksAgain && !eager && !givesBack() && requestedNanos - nanos > 0;
    }

    /** {@return whether somebody is to be told, and now is} */
    boolean takeWorksAgain() {
        boolean taken = worksAgain;
        worksAgain = false;
        return taken;
    }
}

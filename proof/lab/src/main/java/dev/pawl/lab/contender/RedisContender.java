package dev.pawl.lab.contender;

import java.net.URI;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.args.ListDirection;

/** A queue in Redis as its documentation describes it: a list, from which a job moves to a worker's own list until it is done. */
final class RedisContender implements Contender {
    private static final int AT_ONCE = 1000;
    private static final double WAIT_SECONDS = 0.1;
    /** The environment variable with the password. The system's name must not contain it, because names are stored in files. */
    private static final String PASSWORD = "PAWL_LAB_REDIS_PASSWORD";

    private final Setup setup;
    private final URI uri;
    private final String ready = "pawl-lab:" + UUID.randomUUID();
    private final String running = ready + ":running";

    RedisContender(Setup setup) {
        this.setup = setup;
        this.uri = URI.create(setup.system());
    }

    @Override
    public String settings() {
        return "Redis lists, " + setup.workers()
                + " workers: BLMOVE to a list of jobs in hand, LREM when done; pipelined" + " RPUSH by " + AT_ONCE
                + ". Durability is as the server has it";
    }

    private Jedis connect() {
        Jedis jedis = new Jedis(uri);
        String password = System.getenv(PASSWORD);
        if (password != null) {
            jedis.auth(password);
        }
        return jedis;
    }

    @Override
    public void enqueue(int from, int to) {
        try (Jedis jedis = connect()) {
            for (int start = from; start < to; start += AT_ONCE) {
                try (Pipeline pipeline = jedis.pipelined()) {
                    IntStream.range(start, Math.min(to, start + AT_ONCE))
                            .forEach(n -> pipeline.rpush(ready, setup.payload(n)));
                }
            }
        }
    }

    @Override
    public Running start(Handler handler) {
        Threads threads = new Threads(setup.workers(), stop -> work(handler, stop));
        return threads::close;
    }

    private void work(Handler handler, AtomicBoolean stop) throws Exception {
        try (Jedis jedis = connect()) {
            while (!stop.get()) {
                String payload = jedis.blmove(ready, running, ListDirection.LEFT, ListDirection.RIGHT, WAIT_SECONDS);
                if (payload != null) {
                    int job = Setup.number(payload);
                    handler.run(job);
                    jedis.lrem(running, 1, payload);
                    handler.done(job);
                }
            }
        }
    }

    @Override
    public long unfinished() {
        try (Jedis jedis = connect()) {
            return jedis.llen(ready) + jedis.llen(running);
        }
    }

    @Override
    public void close() {
        try (Jedis jedis = connect()) {
            jedis.del(ready, running);
        }
    }
}

package dev.pawl.lab.contender;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** beanstalkd: reserve, run, delete. */
final class BeanstalkContender implements Contender {
    private static final int AT_ONCE = 1000;

    private final Setup setup;
    private final URI uri;
    private final String tube = "pawl-lab-" + UUID.randomUUID();

    BeanstalkContender(Setup setup) {
        this.setup = setup;
        this.uri = URI.create(setup.system());
    }

    @Override
    public String settings() {
        return "beanstalkd, " + setup.workers() + " workers: reserve, delete; puts sent " + AT_ONCE
                + " ahead of their answers. Durability is as the server has it";
    }

    @Override
    public void enqueue(int from, int to) throws IOException {
        try (Beanstalk connection = new Beanstalk(uri, tube)) {
            for (int start = from; start < to; start += AT_ONCE) {
                connection.put(IntStream.range(start, Math.min(to, start + AT_ONCE))
                        .mapToObj(setup::payload)
                        .toList());
            }
        }
    }

    @Override
    public Running start(Handler handler) {
        Threads threads = new Threads(setup.workers(), stop -> work(handler, stop));
        return threads::close;
    }

    private void work(Handler handler, AtomicBoolean stop) throws Exception {
        try (Beanstalk connection = new Beanstalk(uri, tube)) {
            while (!stop.get()) {
                Optional<Beanstalk.Reserved> job = connection.reserve(1);
                if (job.isPresent()) {
                    int number = Setup.number(job.get().body());
                    handler.run(number);
                    connection.delete(job.get().id());
                    handler.done(number);
                }
            }
        }
    }

    @Override
    public long unfinished() throws IOException {
        try (Beanstalk connection = new Beanstalk(uri, tube)) {
            return connection.unfinished(tube);
        }
    }
}

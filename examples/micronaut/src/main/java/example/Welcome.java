package example;

import dev.pawl.JobQueue;
import dev.pawl.api.JobType;
import dev.pawl.micronaut.JobHandler;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import jakarta.inject.Singleton;

@Singleton
class Welcome {
    record SendWelcome(String address) {}

    static final JobType<SendWelcome> SEND_WELCOME = JobType.of("welcome.send", SendWelcome.class);

    private final JobQueue queue;

    Welcome(JobQueue queue) {
        this.queue = queue;
    }

    @JobHandler("welcome.send")
    void send(SendWelcome welcome) {
        System.out.println("Welcome, " + welcome.address());
    }

    @EventListener
    void first(StartupEvent start) {
        queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"));
    }
}

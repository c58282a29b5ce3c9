package dev.pawl.quarkus.deployment;

import dev.pawl.WorkerBuilder;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunInterceptor;
import dev.pawl.quarkus.WorkerCustomizer;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An interceptor, and a customizer that adds another one, as that of a library for traces does. */
@Singleton
public class Interceptors implements RunInterceptor, WorkerCustomizer {
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();

    @Override
    public Outcome intercept(JobRun run, Handling handler) throws Exception {
        calls.add(run.job().id() + " the bean");
        return handler.proceed();
    }

    @Override
    public void customize(WorkerBuilder worker) {
        worker.intercept((run, handler) -> {
            calls.add(run.job().id() + " the customizer's");
            return handler.proceed();
        });
    }

    List<String> callsFor(long job) {
        return calls.stream().filter(call -> call.startsWith(job + " ")).toList();
    }
}

package dev.pawl.internal.bean;

import dev.pawl.api.Chunk;
import dev.pawl.api.ChunkHandler;
import dev.pawl.api.JobHandler.WithOutcome;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.api.TypeToken;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method that handles jobs: its parameters and its invocation.
 *
 * @param returned what it returns
 * @param parameters their types, in which the type variables of its class are resolved
 * @param chunked whether it handles many jobs in one call
 */
public record HandlerMethod(Class<?> returned, List<Type> parameters, boolean chunked) {
    /** Calls the method. */
    @FunctionalInterface
    public interface Call {
        /**
         * {@return what the method returns}
         *
         * @param arguments in the order of its parameters
         * @throws Exception from the method
         */
        @Nullable
        Object invoke(@Nullable Object[] arguments) throws Exception;
    }

    /** @throws IllegalStateException if a parameter or the return type is not supported */
    public HandlerMethod {
        parameters = List.copyOf(parameters);
        if (returned != void.class && returned != Outcome.class) {
            throw new IllegalStateException("it returns " + returned.getName()
                    + ": a handler returns nothing, which completes the job, or an Outcome");
        }
        List<? extends Class<?>> classes =
                parameters.stream().map(HandlerMethod::raw).toList();
        if (chunked) {
            if (returned != void.class
                    || classes.size() != 1
                    || (classes.get(0) != List.class && classes.get(0) != Chunk.class)) {
                throw new IllegalStateException(
                        "it handles many jobs in one call (chunk = …): such a method takes a List of"
                                + " payloads or a Chunk, and returns nothing");
            }
        } else if (classes.contains(Chunk.class)) {
            throw new IllegalStateException(
                    "it takes a Chunk, so it needs a size: @JobHandler(value = …, chunk = 100)");
        }
        long runs = classes.stream().filter(JobRun.class::equals).count();
        if (runs > 1 || classes.size() - runs > 1) {
            throw new IllegalStateException(
                    "it has too many parameters: a handler may take the payload, the JobRun, both or neither");
        }
    }

    private static Class<?> raw(Type type) {
        return type instanceof ParameterizedType parameterized
                ? (Class<?>) parameterized.getRawType()
                : type instanceof Class<?> plain ? plain : Object.class;
    }

    /** {@return the type of its payload; Void if it takes none} */
    public Type payload() {
        if (chunked) {
            if (parameters.get(0) instanceof ParameterizedType list) {
                return list.getActualTypeArguments()[0];
            }
            throw new IllegalStateException("the type of its payloads is not declared: take a List<YourPayload>");
        }
        return parameters.stream()
                .filter(type -> type != JobRun.class)
                .findFirst()
                .orElse(Void.class);
    }

    /** {@return the payload type, boxed if primitive} */
    public TypeToken<?> token() {
        return TypeToken.ofType(payload() instanceof Class<?> type ? boxed(type) : payload());
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    /**
     * {@return a call by reflection}
     *
     * @param method accessible
     * @param bean supplies the bean for each call
     */
    public static Call reflective(Method method, Supplier<Object> bean) {
        return arguments -> {
            try {
                return method.invoke(bean.get(), arguments);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof Exception thrown) {
                    throw thrown;
                }
                if (e.getCause() instanceof Error thrown) {
                    throw thrown;
                }
                throw e;
            }
        };
    }

    WithOutcome<Object> toHandler(Call call) {
        return (payload, run) -> {
            Object[] arguments = parameters.stream()
                    .map(type -> type == JobRun.class ? run : payload)
                    .toArray();
            return outcome(call.invoke(arguments));
        };
    }

    ChunkHandler<Object> toChunkHandler(Call call) {
        boolean takesPayloads = raw(parameters.get(0)) == List.class;
        return chunk -> {
            Object unused = call.invoke(new Object[] {takesPayloads ? chunk.payloads() : chunk});
        };
    }

    /** Passes null on, because the engine reports a missing outcome. */
    @SuppressWarnings("NullAway")
    private Outcome outcome(@Nullable Object answer) {
        return returned == void.class ? Outcome.completed() : (Outcome) answer;
    }
}

package org.verbena.message;

import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Copies of work requests with another id. */
final class RequestIds {
    private RequestIds() {}

    static WorkRequest.Receive withId(WorkRequest.Receive request, long id) {
        return new WorkRequest.Receive(id, request.into());
    }

    /** A signalled copy: a request without a completion would never complete its future. */
    static WorkRequest.Sending withId(WorkRequest.Sending request, long id) {
        SendOptions how = new SendOptions(
                true, request.options().fence(), request.options().solicited());
        return switch (request) {
            case WorkRequest.Send r -> new WorkRequest.Send(id, r.data(), how);
            case WorkRequest.SendWithImmediate r -> new WorkRequest.SendWithImmediate(id, r.data(), r.immediate(), how);
            case WorkRequest.SendWithInvalidate r -> new WorkRequest.SendWithInvalidate(id, r.data(), r.key(), how);
            case WorkRequest.SendDatagram r ->
                new WorkRequest.SendDatagram(id, r.data(), r.to(), r.queuePair(), r.qkey(), how);
            case WorkRequest.SendDatagramWithImmediate r ->
                new WorkRequest.SendDatagramWithImmediate(
                        id, r.data(), r.to(), r.queuePair(), r.qkey(), r.immediate(), how);
            case WorkRequest.SendRaw r -> new WorkRequest.SendRaw(id, r.data(), r.to(), how);
            case WorkRequest.Write r -> new WorkRequest.Write(id, r.data(), r.target(), how);
            case WorkRequest.WriteWithImmediate r ->
                new WorkRequest.WriteWithImmediate(id, r.data(), r.target(), r.immediate(), how);
            case WorkRequest.Read r -> new WorkRequest.Read(id, r.into(), r.source(), how);
            case WorkRequest.FetchAdd r -> new WorkRequest.FetchAdd(id, r.original(), r.target(), r.addend(), how);
            case WorkRequest.CompareSwap r ->
                new WorkRequest.CompareSwap(id, r.original(), r.target(), r.expected(), r.replacement(), how);
            case WorkRequest.AtomicWrite r -> new WorkRequest.AtomicWrite(id, r.value(), r.target(), how);
            case WorkRequest.BindWindow r ->
                new WorkRequest.BindWindow(
                        id,
                        r.window(),
                        r.newKey(),
                        r.regionKey(),
                        r.address(),
                        r.length(),
                        r.rights(),
                        r.touches(),
                        how);
            case WorkRequest.LocalInvalidate r -> new WorkRequest.LocalInvalidate(id, r.key(), how);
            case WorkRequest.RegisterAndSend r ->
                new WorkRequest.RegisterAndSend(id, r.key(), r.memory(), r.touches(), r.data(), how);
            case WorkRequest.Register r -> new WorkRequest.Register(id, r.key(), r.memory(), r.touches(), how);
        };
    }
}
